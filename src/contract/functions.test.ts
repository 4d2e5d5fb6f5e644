import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import ts from '@typescript/typescript6'

/** A longer function is split, or is listed below with its reason. */
const MOST_LINES = 60

const root = join(import.meta.dir, '../..')

const parseSource = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

type Measured = { name: string; lines: number }

/** Returns the name of a function: its own, that of what it is assigned to, or the name of the function around it. */
function getName(node: ts.SignatureDeclaration, source: ts.SourceFile, within: string): string {
  const { name, parent } = node
  if (name) return name.getText(source)
  const isNamedByParent = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
  return isNamedByParent ? parent.name.getText(source) : `${within} (inner)`
}

/** Returns every function of a source with its number of lines, nested functions included. */
function functionsIn(source: ts.SourceFile): Measured[] {
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line
  const found: Measured[] = []
  const visit = (node: ts.Node, within: string): void => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) {
      node.forEachChild((child) => visit(child, within))
      return
    }
    const name = getName(node, source, within)
    found.push({ name, lines: lineAt(node.getEnd()) - lineAt(node.getStart(source)) + 1 })
    node.forEachChild((child) => visit(child, name))
  }
  visit(source, source.fileName)
  return found
}

/** Returns whether a node is a literal that is spread into another one, `...{ a, b }`, which only saves lines. */
function isPacked(node: ts.Node): boolean {
  if (ts.isSpreadAssignment(node)) return ts.isObjectLiteralExpression(node.expression)
  return ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression)
}

/** Returns the lines of a source at which a literal is spread into another one. */
function packedIn(source: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (isPacked(node))
      found.push(`${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

const TEXT = 'a text that is read as a whole'
const DATA = 'a table of data'
const STATE = 'draws parts that share one state'

/** Lists the longer functions with their exact length and the reason. */
const LONGER: Readonly<Record<string, readonly [lines: number, why: string]>> = {
  'admin-ui/components/lists/data-list.tsx DataList': [63, STATE],
  'admin-ui/features/overview/imports/import-form.tsx ImportForm': [63, STATE],
  'admin-ui/theme.ts consoleTheme': [77, DATA],
  'src/commands/demo/people.ts places': [74, DATA],
  'src/commands/service.ts printService': [82, TEXT],
  'src/modules/box/guide/retries.page.ts retriesPage': [61, TEXT],
}

/** These names may end in Of: builders of schemas, which the field calls so, and a predicate. */
const NAMED_OF = ['oneOf', 'isFileOf']

let longer: Record<string, number>
let packed: string[]
let withoutVerb: string[]
beforeAll(async () => {
  longer = {}
  packed = []
  withoutVerb = []
  for (const folder of ['src', 'admin-ui'])
    for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root)) {
      const source = parseSource(path, await Bun.file(join(root, path)).text())
      packed.push(...packedIn(source))
      const isSupport = /\.test\.|\.d\.ts$|^src\/(testing|bench)\//.test(path)
      for (const { name, lines } of functionsIn(source)) {
        if (/^[a-z]\w*[a-z]Of$/.test(name) && !NAMED_OF.includes(name)) withoutVerb.push(`${path} ${name}`)
        if (!isSupport && lines > MOST_LINES)
          longer[`${path} ${name}`] = Math.max(lines, longer[`${path} ${name}`] ?? 0)
      }
    }
})

describe('functions are short', () => {
  test(`no function has more than ${MOST_LINES} lines unless it is listed, and each list entry is needed`, () => {
    const listed = Object.fromEntries(Object.entries(LONGER).map(([key, [lines]]) => [key, lines]))
    expect(longer).toEqual(listed)
  })

  test('each listed exception to the limit of lines has a reason', () => {
    for (const [, why] of Object.values(LONGER)) expect(why).not.toBe('')
  })
})

test('no literal is spread into another one to save lines', () => {
  expect(packed).toEqual([])
  const text = 'f([...[a, b], ...list, ...{ c }.d], { ...(e ? { e } : {}), ...{ g } })'
  expect(packedIn(parseSource('x.ts', text))).toEqual(['x.ts:1', 'x.ts:1'])
})

test('no name of a function ends in Of, since it begins with its verb', () => {
  expect(withoutVerb).toEqual([])
})

test('a function is measured from its first line to its last, and so is a nested one', () => {
  const body = '\n'.repeat(3)
  const text = `const a = () => {${body}}\nfunction b() {\n  return {${body}c() {${body}} }\n}\nuse(() => {${body}})`
  expect(functionsIn(parseSource('x.ts', text))).toEqual([
    { name: 'a', lines: 4 },
    { name: 'b', lines: 9 },
    { name: 'c', lines: 4 },
    { name: 'x.ts (inner)', lines: 4 },
  ])
})
