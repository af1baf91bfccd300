// @sabaki/sgf: node tests/conformance/adapters/sabaki.js; NODE_PATH has the folder of packages.
const {readFileSync} = require('fs')

let sgf, version
try {
  sgf = require('@sabaki/sgf')
  version = require('@sabaki/sgf/package.json').version
} catch {
  console.error('@sabaki/sgf is not installed where node looks (NODE_PATH)')
  process.exit(3)
}

// Values are texts without escapes; it helps with lists of points and dates.
const lists = 'AB AW AE CR MA SL SQ TR TB TW DD VW'.split(' ')
const claims = {
  formats: ['FF[4]'], games: ['Go'],
  parts: ['trees', 'encodings', 'collections', 'any-game'],
  values: [...lists, 'DT', 'C'],
  faults: ['syntax']
}

function typed(name, texts) {
  if (name === 'C') return texts[0]
  if (name !== 'DT') {
    const points = texts.filter(text => text).flatMap(sgf.parseCompressedVertices)
    return points.map(([x, y]) => [x + 1, y + 1])
  }
  const digits = (part, place) => String(part).padStart(place ? 2 : 4, '0')
  return sgf.parseDates(texts[0])?.map(date => date.map(digits).join('-'))
}

function answer(data) {
  const values = {}
  const trees = sgf.parseBuffer(data).map((root, number) => {
    const tree = {parents: [], nodes: []}
    const waiting = [[root, -1]]
    while (waiting.length) {
      const [node, parent] = waiting.pop()
      const index = tree.parents.push(parent) - 1
      tree.nodes.push(node.data)
      for (const name of claims.values.filter(name => name in node.data)) {
        values[`${number}.${index}.${name}`] = typed(name, node.data[name])
      }
      waiting.push(...node.children.map(child => [child, index]).reverse())
    }
    return tree
  })
  return {trees, values}
}

for (const file of process.argv.length > 2 ? process.argv.slice(2) : [0]) {
  let found
  try {
    found = answer(readFileSync(file))
  } catch (error) {
    found = {trees: null, error: error.message}
  }
  console.log(JSON.stringify({program: `@sabaki/sgf ${version}`, claims, ...found}))
}
