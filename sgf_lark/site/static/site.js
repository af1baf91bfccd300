// What is wider than its place scrolls, and by keys too.
const WIDE = "pre, .table-wrapper, .track";

const mark = () => document.querySelectorAll(WIDE).forEach(one => {
  if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
  else one.removeAttribute("tabindex");
});

addEventListener("load", mark);
addEventListener("resize", mark);
