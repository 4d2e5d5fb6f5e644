import ts from '@typescript/typescript6'
import { SKIPPED, type Skip } from './skipped.ts'

/** One change of a source: `before` at a line of a file becomes `after`. */
export type Mutant = { id: number; file: string; line: number; before: string; after: string; code: string }

const OTHER_COMPARISON: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
/** For integers `a <= 5` is `a < 6`, which changes `a < 5` too, so the constant is changed only the other way. */
const LEFT_TO_CONSTANTS: Readonly<Record<string, number>> = { '<': -1, '<=': 1, '>': 1, '>=': -1, '===': 1, '!==': 1 }
const ROUNDING_CALLS: Readonly<Record<string, readonly string[]>> = {
  'Math.ceil': ['Math.floor', 'Math.round'],
  'Math.floor': ['Math.ceil', 'Math.round'],
  'Math.round': ['Math.floor', 'Math.ceil'],
  'Math.trunc': ['Math.ceil'],
}
const ROUNDINGS: Readonly<Record<string, readonly string[]>> = {
  'half-even': ['down', 'up'],
  down: ['half-even', 'up'],
  up: ['half-even', 'down'],
}

/** These names bound lengths of texts and lists, describe the interface, or schedule a job or child. */
const LENGTHS = /^(max|min)(Length|Items)$|^(description|every|delay|deadlineMs|examples|format|pattern)$/
/** Numbers in these calls are HTTP statuses, or lengths of texts. */
const STATUSES = /^(op|defineErrors|Problem|status|(Reported)?(Line|Prose|Reference))$/

const isSameNode = (one: ts.Node | undefined, other: ts.Node): boolean => one === other

/** Returns whether a number is no figure of a rule: a name, an index, a length, a status, or an unused default. */
function isNoFigure(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isPropertyAssignment(parent) && isSameNode(parent.name, node)) return true
  if (ts.isElementAccessExpression(parent) && isSameNode(parent.argumentExpression, node)) return true
  // a query that counts or sums always has a row, and the day of a date is its first ten characters
  if (
    ts.isBinaryExpression(parent) &&
    /(\[0\]|^\w+)\?\.n \?\?$/.test(parent.getText().slice(0, -node.getText().length).trim())
  )
    return true
  if (/toIso\(.*\)\.slice\(0, 10\)$/.test(parent.getText())) return true
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isPropertyAssignment(at) && LENGTHS.test(at.name.getText())) return true
    if (!ts.isCallExpression(at) && !ts.isNewExpression(at)) continue
    if (STATUSES.test(at.expression.getText()) || at.expression.getText().endsWith('.at')) return true
  }
  return false
}

/** Returns the changes of a constant by one, without a change that a mutant of its comparison makes already. */
function listNumberSteps(node: ts.Node, value: bigint): readonly number[] {
  const { parent } = node
  const operator = ts.isBinaryExpression(parent) ? parent.operatorToken.getText() : ''
  const way = LEFT_TO_CONSTANTS[operator]
  const ways = way === undefined ? [1, -1] : [ts.isBinaryExpression(parent) && parent.right === node ? way : -way]
  // the query reads one row only to find out whether there is any
  if (ts.isPropertyAssignment(parent) && parent.name.getText() === 'limit' && value === 1n) return [-1]
  // a count is never below zero
  return value === 0n ? ways.filter((step) => step > 0) : ways
}

function changedNumber(node: ts.Node, text: string): string[] {
  if (isNoFigure(node)) return []
  const plain = text.replaceAll('_', '')
  if (ts.isBigIntLiteral(node)) {
    const value = BigInt(plain.slice(0, -1))
    return listNumberSteps(node, value).map((step) => `${value + BigInt(step)}n`)
  }
  const value = Number(plain)
  if (Number.isInteger(value)) return listNumberSteps(node, BigInt(value)).map((step) => String(value + step))
  return [1, -1].map((step) => String(Number((value + step * 10 ** -(plain.split('.')[1]?.length ?? 0)).toFixed(9))))
}

/** Returns whether a condition only says when a long write lets others read, as in `if (index % 50 === 49) yield`. */
function isBeforeYield(node: ts.Node): boolean {
  const isYield = ts.isIfStatement(node) && /^yield;?$/.test(node.thenStatement.getText())
  return isYield || (ts.isExpression(node) && isBeforeYield(node.parent))
}

/** Returns the replacements of a node, one for each mutant. `text` is the node with the mutants of its inner parts. */
function listVariants(node: ts.Node, text: string, parts: readonly string[]): string[] {
  if (isBeforeYield(node)) return []
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) return changedNumber(node, text)
  if (ts.isStringLiteral(node) && !ts.isBinaryExpression(node.parent))
    return ts.isPropertyAssignment(node.parent) ? [] : (ROUNDINGS[node.text] ?? []).map((other) => `'${other}'`)
  if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent)) return [...(ROUNDING_CALLS[text] ?? [])]
  if (ts.isCallExpression(node) && node.expression.getText() === 'divHalfEven')
    return [`((${parts[1]}) / (${parts[2]}))`]
  const other = ts.isBinaryExpression(node) ? OTHER_COMPARISON[node.operatorToken.getText()] : undefined
  return other === undefined ? [] : [`${parts[0]} ${other} ${parts[2]}`]
}

const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 70)
/** Describes a mutant by the text that would replace the node. */
function changedText(node: ts.Node, after: string): string {
  if (ts.isCallExpression(node)) return 'rounded down'
  if (!ts.isBinaryExpression(node)) return after
  const operator = node.operatorToken.getText()
  return short(`${node.left.getText()} ${OTHER_COMPARISON[operator]} ${node.right.getText()}`)
}
const isSkippedBy = ({ file, code, after }: Skip, mutant: Mutant): boolean =>
  mutant.file === file && mutant.code.includes(code) && (after === undefined || after === mutant.after)

/**
 * Writes all mutants of a source into it at once: each place checks whether the active mutant is its own, by the
 * number. `all` receives the mutants that are found, `used` the list entry of each one that is skipped.
 */
export function withMutants(file: string, source: string, all: Mutant[], used: Skip[]): string {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const lines = source.split('\n')
  const render = (node: ts.Node): string => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return node.getText()
    const parts: string[] = []
    let [text, at] = ['', node.getStart()]
    ts.forEachChild(node, (child) => {
      const part = render(child)
      parts.push(part)
      text += source.slice(at, child.getStart()) + part
      at = child.getEnd()
    })
    text += source.slice(at, node.getEnd())
    const original = text
    for (const after of listVariants(node, original, parts)) {
      const line = parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1
      const to = changedText(node, after)
      const mutant = {
        id: all.length,
        file,
        line,
        before: short(node.getText()),
        after: to,
        code: lines[line - 1] ?? '',
      }
      const skip = SKIPPED.find((one) => isSkippedBy(one, mutant))
      if (skip) {
        used.push(skip)
        continue
      }
      all.push(mutant)
      text = `(globalThis.mutant?.(${mutant.id}) ? ${after} : ${text})`
    }
    return text
  }
  return render(parsed)
}
