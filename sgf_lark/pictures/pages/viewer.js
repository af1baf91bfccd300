"use strict";

/* Steps through games.  Each article has a picture with the elements of all nodes, and its nodes
   as JSON: of each node its parent ("up"), the elements that come and go with it ("flips"), its
   texts, where its move ends ("at"), and the labels of variations on its board. */

const NAMES = { B: "Black", W: "White" };

/** Distances: from a click to a point in cells; of a swipe and of a wheel in pixels. */
const NEAR = 0.6, SWIPE = 40, TURN = 50;

/** Milliseconds until the record answers a move in a problem, and until the address has the node:
    browsers ignore addresses that change too often. */
const PAUSE = 500, REST = 300;

/** Pixels of the tree: from node to node, and around it. */
const STEP = 22, EDGE = 14;

/** The page is a part of another one. */
const isFramed = window !== window.top;

/** Keys, and what each does. */
const KEYS = {
  ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last",
  ArrowUp: "above", ArrowDown: "below", PageDown: "onward", PageUp: "backward",
};

class Viewer {
  constructor(article) {
    this.article = article;
    this.id = article.id.replace("game-", "");
    const data = JSON.parse(this.part("data").textContent);
    this.nodes = data.nodes;
    this.showsSiblings = data.siblings;
    this.children = this.nodes.map(() => []);
    this.nodes.forEach((node, at) => node.up >= 0 && this.children[node.up].push(at));
    /** For each node the child that was seen last; the first one to begin with. */
    this.chosen = this.children.map((children) => children[0]);
    this.svg = this.part("board").querySelector("svg");
    this.levels = [...this.svg.querySelectorAll(":scope > g")];
    this.elements = this.levels.flatMap((level) => [...level.children]);
    this.levelOf = this.levels.flatMap((level, at) => Array(level.children.length).fill(at));
    this.svg.querySelectorAll(":scope > title, :scope > desc").forEach((one) => one.remove());
    this.turned = 0;
    this.at = 0;
    this.isSolving = false;
    this.part("link").hidden = isFramed; // the address is that of the page around it
    this.drawTree();
    this.listen();
    article.classList.add("ready");
    this.part("solve").hidden = data.problem === null;
    if (data.problem === null) this.go(0);
    else this.solve(true, data.problem);
  }

  part(name) {
    return this.article.querySelector("." + name);
  }

  // ---- the way through the game ----

  /** The nodes from the first one to a node. */
  lineTo(at) {
    const line = [];
    for (let node = at; node >= 0; node = this.nodes[node].up) line.push(node);
    return line.reverse();
  }

  /** The nodes from the first one through the present one to the end of its line. */
  line() {
    const line = this.lineTo(this.at);
    for (let node = this.chosen[this.at]; node !== undefined; node = this.chosen[node]) {
      line.push(node);
    }
    return line;
  }

  /** The node to which a command leads; undefined if there is none. */
  target(command) {
    const line = this.line(), place = line.indexOf(this.at), end = line.length - 1;
    const siblings = this.children[this.nodes[this.at].up] ?? [];
    const sibling = siblings.indexOf(this.at);
    return {
      first: () => line[0],
      back: () => line[place - 1],
      next: () => line[place + 1],
      last: () => line[end],
      above: () => siblings[sibling - 1],
      below: () => siblings[sibling + 1],
      onward: () => line[Math.min(end, place + 10)],
      backward: () => line[Math.max(0, place - 10)],
    }[command]();
  }

  /** Follow a command; false if it leads nowhere, or would show the solution of a problem. */
  follow(command) {
    const to = this.target(command);
    const isBack = ["first", "back", "backward"].includes(command);
    if (to === undefined || to === this.at || (this.isSolving && !isBack)) return false;
    this.go(to);
    return true;
  }

  /** Show a node. */
  go(at) {
    clearTimeout(this.reply);
    this.at = at;
    for (let node = at; this.nodes[node].up >= 0; node = this.nodes[node].up) {
      this.chosen[this.nodes[node].up] = node;
    }
    this.drawBoard();
    this.tell();
    const place = `#${this.id}@${this.nodes[at].path}`;
    this.part("link").setAttribute("href", place);
    clearTimeout(address);
    const write = () => isFramed || history.replaceState(null, "", place);
    address = setTimeout(write, REST);
  }

  // ---- the board ----

  drawBoard() {
    const shown = new Set();
    for (const node of this.lineTo(this.at)) {
      for (const flip of this.nodes[node].flips) {
        if (!shown.delete(flip)) shown.add(flip);
      }
    }
    const contents = this.levels.map(() => []);
    for (const number of [...shown].sort((one, other) => one - other)) {
      contents[this.levelOf[number]].push(this.elements[number]);
    }
    this.levels.forEach((level, at) => level.replaceChildren(...contents[at]));
    this.svg.setAttribute("viewBox", this.nodes[this.at].box);
  }

  /** The letter of a node's move on the present board; undefined for none. */
  letter(node) {
    const { labels = {}, up } = this.nodes[this.at], other = this.nodes[node];
    if (other.up !== (this.showsSiblings ? up : this.at)) return undefined;
    return Object.keys(labels).find((name) => String(labels[name]) === String(other.at));
  }

  /** The nodes that may follow, or by the style of the record (ST) stand in the present one's place. */
  choices() {
    const siblings = this.showsSiblings ? this.children[this.nodes[this.at].up] ?? [] : [];
    return [...siblings.filter((node) => node !== this.at), ...this.children[this.at]];
  }

  /** Go to the move that ends near a place of the window; in a problem, try it. */
  click(x, y) {
    const { x: across, y: down } = new DOMPoint(x, y)
      .matrixTransform(this.svg.getScreenCTM().inverse());
    const isNear = ({ at }) => at && Math.hypot(at[0] - across, at[1] - down) < NEAR;
    const nodes = this.isSolving ? this.children[this.at] : this.choices();
    const node = nodes.find((one) => isNear(this.nodes[one]));
    if (this.isSolving) this.attempt(node);
    else if (node !== undefined) this.go(node);
  }

  // ---- problems ----

  solve(isSolving, at = this.at) {
    this.isSolving = isSolving;
    this.article.classList.toggle("solving", isSolving);
    const button = this.part("solve");
    button.setAttribute("aria-pressed", isSolving);
    button.textContent = isSolving ? "Show the solution" : "Solve as a problem";
    this.part("answer").hidden = !isSolving;
    this.go(at);
  }

  /** Play a move of the record, which answers; undefined is a move that it does not have. */
  attempt(node) {
    if (node === undefined) {
      this.part("words").textContent = "The record does not have this move: try another one.";
      return;
    }
    const [answer] = this.children[node];
    this.go(node);
    if (answer !== undefined) this.reply = setTimeout(() => this.go(answer), PAUSE);
  }

  // ---- words ----

  /** What the present position is, in words. */
  words() {
    const node = this.nodes[this.at], line = this.line();
    const total = this.nodes[line[line.length - 1]].number ?? 0;
    const next = this.nodes[this.children[this.at][0]];
    if (this.isSolving && next?.by) return `${this.move(node)} ${NAMES[next.by]} to play.`;
    if (this.isSolving) return `${this.move(node)} The line ends here.`;
    if (!node.number) return "Start.";
    return node.by ? this.move(node, ` of ${total}`) : `After move ${node.number} of ${total}.`;
  }

  move(node, total = "") {
    if (!node.by) return "";
    return `Move ${node.number ?? 0}${total}: ${NAMES[node.by]} ${node.move}.`;
  }

  tell() {
    const node = this.nodes[this.at], line = this.line(), words = this.words().trim();
    this.part("words").textContent = words;
    this.svg.setAttribute("aria-label", words);
    this.part("notes").textContent = (node.notes ?? []).join(" · ");
    this.part("name").textContent = node.name ?? "";
    this.part("comment").textContent = node.comment ?? "";
    const slider = this.part("slider");
    slider.max = line.length - 1;
    slider.value = line.indexOf(this.at);
    slider.setAttribute("aria-valuetext", words);
    slider.disabled = this.isSolving;
    for (const button of this.article.querySelectorAll("[data-go]")) {
      const to = this.target(button.dataset.go);
      const isHidden = this.isSolving && ["next", "last"].includes(button.dataset.go);
      button.disabled = isHidden || to === undefined || to === this.at;
    }
    const choices = this.choices().length > 1 ? this.choices() : [];
    this.part("choices").replaceChildren(...choices.map(this.choice, this));
    this.markTree();
  }

  /** The item of a variation in the list. */
  choice(node, place) {
    const { by, move, name } = this.nodes[node];
    const item = document.createElement("li"), button = document.createElement("button");
    const letter = document.createElement("b");
    letter.textContent = this.letter(node) ?? "";
    const words = by ? `${NAMES[by]} ${move}` : name ?? `Variation ${place + 1}`;
    button.append(...(letter.textContent ? [letter] : []), words);
    button.type = "button";
    button.addEventListener("click", () => this.go(node));
    item.append(button);
    return item;
  }

  // ---- the tree ----

  /** Draw the tree of a game with variations: a line to the right, its variations below. */
  drawTree() {
    if (this.children.every((children) => children.length < 2)) return;
    const depths = [], used = [], edges = [];
    this.circles = this.nodes.map(() => make("circle", { r: 7 }));
    this.nodes.forEach((node, at) => depths.push(node.up < 0 ? 0 : depths[node.up] + 1));
    this.nodes.forEach(({ up }, head) => {
      if (up >= 0 && this.children[up][0] === head) return;
      const line = [];
      for (let node = head; node !== undefined; [node] = this.children[node]) line.push(node);
      const first = Math.max(0, depths[head] - 1), end = depths[head] + line.length;
      let row = 0;
      for (let depth = first; depth < end; depth++) row = Math.max(row, used[depth] ?? 0);
      used.fill(row + 1, first, end);
      while (used.length < end) used.push(row + 1);
      const y = row * STEP + EDGE, x = depths[head] * STEP + EDGE;
      const from = this.circles[up];
      if (from) edges.push(`M${x - STEP} ${from.getAttribute("cy")}V${y - STEP}L${x} ${y}`);
      edges.push(`M${x} ${y}h${(line.length - 1) * STEP}`);
      line.forEach((node, place) => this.placeCircle(node, x + place * STEP, y));
    });
    const width = used.length * STEP + EDGE, height = Math.max(...used) * STEP + EDGE;
    const tree = make("svg", { width, height, role: "img" });
    tree.setAttribute("aria-label", `Tree of ${this.nodes.length} positions`);
    tree.append(make("path", { d: edges.join("") }), ...this.circles);
    this.part("tree").append(tree);
    this.part("tree").hidden = false;
  }

  placeCircle(number, cx, cy) {
    const node = this.nodes[number], circle = this.circles[number];
    for (const [name, value] of Object.entries({ cx, cy })) circle.setAttribute(name, value);
    if (node.by) circle.classList.add(node.by);
    if (node.comment || node.name) circle.classList.add("said");
    circle.addEventListener("click", () => this.go(number));
  }

  /** Mark the present node in the tree, and scroll to it. */
  markTree() {
    if (!this.circles) return;
    this.part("tree .here")?.classList.remove("here");
    const circle = this.circles[this.at], tree = this.part("tree");
    circle.classList.add("here");
    tree.scrollLeft = circle.getAttribute("cx") - tree.clientWidth / 2;
    tree.scrollTop = circle.getAttribute("cy") - tree.clientHeight / 2;
  }

  // ---- what the reader does ----

  listen() {
    for (const button of this.article.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.follow(button.dataset.go));
    }
    const slider = this.part("slider"), board = this.part("board"), answer = this.part("answer");
    slider.addEventListener("input", () => this.go(this.line()[slider.value]));
    this.part("solve").addEventListener("click", () => this.solve(!this.isSolving));
    answer.addEventListener("submit", (event) => {
      event.preventDefault();
      const typed = answer.elements.move.value.trim().toLowerCase();
      const isMove = (node) => this.nodes[node].move?.toLowerCase() === typed;
      this.attempt(this.children[this.at].find(isMove));
      answer.reset();
    });
    board.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    let down = null;
    board.addEventListener("pointerdown", (event) => { down = event; });
    board.addEventListener("pointerup", (event) => {
      const moved = down ? event.clientX - down.clientX : 0;
      const isSwipe = event.pointerType === "touch" && Math.abs(moved) > SWIPE;
      if (isSwipe) this.follow(moved < 0 ? "next" : "back");
      else if (event.button === 0) this.click(event.clientX, event.clientY);
    });
  }

  /** Step with the wheel, as long as there is a step to make; in a frame it scrolls what is around. */
  turn(event) {
    const command = event.deltaY > 0 ? "next" : "back";
    if (isFramed || event.ctrlKey || this.isSolving || this.target(command) === undefined) return;
    event.preventDefault();
    this.turned += event.deltaY;
    if (Math.abs(this.turned) < TURN) return;
    this.turned = 0;
    this.follow(command);
  }

  /** Follow a key; a letter is that of a variation.  Up and down scroll where they lead nowhere. */
  press(event) {
    const letter = event.key.toUpperCase();
    const variation = this.choices().find((node) => this.letter(node) === letter);
    if (event.key in KEYS) {
      const isDone = this.follow(KEYS[event.key]);
      if (isDone || !["ArrowUp", "ArrowDown"].includes(event.key)) event.preventDefault();
    } else if (variation !== undefined && !this.isSolving) {
      this.go(variation);
    }
  }
}

function make(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// ---- the page ----

const articles = [...document.querySelectorAll(".viewer")];
const viewers = new Map();
let present = null, address = 0;

/** Show the game and the node that the address names, such as #2@12.1/3.  The game comes first:
    its gradients have the names of those of the others, and hidden ones draw nothing. */
function open() {
  const [, number = "1", path] = /^#(\d+)(?:@([\d.\/]+))?$/.exec(location.hash) ?? [];
  const article = articles.find(({ id }) => id === `game-${number}`) ?? articles[0];
  for (const one of articles) one.hidden = one !== article;
  const index = document.querySelector(".index");
  if (index.nextElementSibling !== article) index.after(article);
  for (const link of document.querySelectorAll(".index a")) {
    link.toggleAttribute("aria-current", article.id === `game-${link.hash.slice(1)}`);
  }
  present = null;
  if (!article.querySelector(".data")) return;
  if (!viewers.has(article)) viewers.set(article, new Viewer(article));
  present = viewers.get(article);
  const node = present.nodes.findIndex((one) => one.path === path);
  if (node >= 0) present.go(node);
}

document.addEventListener("keydown", (event) => {
  const isTyped = event.target.closest("input, summary, [contenteditable]");
  if (present && !isTyped && !event.ctrlKey && !event.metaKey && !event.altKey) present.press(event);
});
window.addEventListener("hashchange", open);
open();
