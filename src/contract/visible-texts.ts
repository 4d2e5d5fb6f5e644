import ts from '@typescript/typescript6'
import { DESCRIBED, NOT_FOR_PEOPLE, UNREAD_CALLS } from './texts-for-developers.ts'

/** A person reads these attributes and properties, however short their text is. */
const READ = new Set([
  'label',
  'title',
  'description',
  'placeholder',
  'aria-label',
  'alt',
  'subtitle',
  'message',
  'text',
  'confirmLabel',
  'submitLabel',
])

/** Programs read these attributes and properties: styles, addresses, names of files. */
const UNREAD = new Set([
  'accept',
  'autoComplete',
  'className',
  'd',
  'family',
  'fontFamily',
  'fontFamilyMonospace',
  'gridTemplateColumns',
  'path',
  'pattern',
  'sql',
  'style',
  'transform',
  'viewBox',
])

/** Programs or API documents read these properties of the server. */
const UNREAD_BY_SERVER = new Set([
  'cache-control',
  'content-security-policy',
  'content-type',
  'examples',
  'fresh',
  'help',
  'labels',
])

/** These calls compare, look up or change texts. */
const PROGRAMS = new Set([
  'Error',
  'closest',
  'endsWith',
  'includes',
  'indexOf',
  'isSentenceKey',
  'join',
  'lazyPage',
  'matchMedia',
  'querySelector',
  'querySelectorAll',
  'replace',
  'split',
  'startsWith',
  'useHotkeys',
  'useMediaQuery',
])

/** The texts in these calls of the server reach a person, so two words are enough to report one. */
const TOLD = new Set([
  'Problem',
  'defineErrors',
  'invalid',
  'mailAdministrators',
  'mailOwners',
  'queueMail',
  'wrongState',
])

/** These elements show what a program reads. */
const VERBATIM = new Set(['code', 'Code', 'kbd', 'Kbd', 'pre'])

/** Texts that have words and are no sentences. */
const NO_SENTENCE: readonly [what: RegExp, name: string][] = [
  [/^[A-Z]{2,5}(\s+[A-Z]{2,5})*$|^[a-z]{2}( [a-z]{2})*$/, 'codes, say of currencies'],
  [/^[a-z-]+(\.\w+)+$/, 'keys of the catalogue, hosts'],
  [/var\(--/, 'colours of the page'],
  [/^(Bearer|event:) |^[a-z-]+(, [a-z-]+){2,}$|; ?\w+=|^[\w-]+ '[\w-]+';/, 'headers and lines of a stream'],
  [/^\w+=[$"']|^curl /, 'lines of a shell'],
  [
    /^\s*END |\b(SELECT|WHERE|FROM|ORDER BY|INDEXED BY|DESC|JOIN|INSERT|UPDATE|DELETE|AND|OR|NULL|IS|PRAGMA|LIMIT|SET|VALUES|json_\w+\()/,
    'queries',
  ],
]
const isForPrograms = (text: string): boolean => NO_SENTENCE.some(([what]) => what.test(text))

const isSentence = (text: string): boolean =>
  !isForPrograms(text) && (/\p{L}\s+\p{L}/u.test(text) || /^\p{Lu}\p{Ll}+[.…?!]?$/u.test(text))

const isText = (text: string): boolean => /\p{L}/u.test(text) && !isForPrograms(text)

/** This mark replaces a value in a template. */
const VALUE = '…'
/** Matches a word or the mark of a value, with its punctuation. */
const WORD = /^[“"(]?(\p{L}[\p{L}’'/-]*|…)[”"),.;:?!]*$/u

/** Returns whether a text is for people: it has three words, or begins like a sentence. */
function isProse(text: string): boolean {
  if (isForPrograms(text)) return false
  if (/^\p{Lu}\p{Ll}+[,:]? +[\p{L}…]/u.test(text) || /^\p{Lu}\p{Ll}+[.?!]$/u.test(text)) return true
  const words = text.split(/ +/).filter((word) => WORD.test(word))
  return words.length >= 3 && words.some((word) => /\p{Ll}{2}/u.test(word))
}

const getNodeName = (node: ts.Node): string =>
  ts.isJsxAttribute(node) || ts.isPropertyAssignment(node) ? node.name.getText().replaceAll("'", '') : ''

/** Returns the name of the called function: the last name of `a.b.c()`. */
function calledBy(node: ts.Node): string {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return ''
  return ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText()
}

const isSaying = (node: ts.Node): boolean => /^(say|tell)$/.test(calledBy(node))

/** Returns whether no person reads a part of a source: types, comparisons, and keys that programs look up. */
function isProgram(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true
  if (ts.isJsxElement(node)) return VERBATIM.has(node.openingElement.tagName.getText())
  if (ts.isBinaryExpression(node)) return /^[!=]==?$/.test(node.operatorToken.getText())
  return ts.isCaseClause(node) ? false : UNREAD.has(getNodeName(node)) || PROGRAMS.has(calledBy(node))
}

/** Returns whether this part of the server is for the database, the log or the API documents. */
function isUnread(node: ts.Node): boolean {
  if (ts.isTaggedTemplateExpression(node)) return true
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return UNREAD_CALLS.test(node.expression.getText())
  const isDocument = getNodeName(node) === 'description' && DESCRIBED.test(node.getSourceFile().fileName)
  return isDocument || UNREAD_BY_SERVER.has(getNodeName(node))
}

/** Returns the text of a literal, or of a template with a mark in place of each value. */
function readLiteral(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => VALUE + literal.text).join('')
}

const parse = (path: string, text: string): ts.SourceFile =>
  // in a file without JSX, `<T>` begins a type and not an element
  ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )

/**
 * Returns the texts of a file that a person would read and that are written in the code, not in the catalogue. Most
 * texts of the server (`isServer`) are for programs, so there only sentences and texts of some calls are returned.
 */
export function spoken(path: string, text: string, isServer: boolean): string[] {
  if (isServer && NOT_FOR_PEOPLE.some(([files]) => files.test(`/${path}`))) return []
  const found: string[] = []
  const visit = (node: ts.Node, isTold: boolean, isRead: boolean): void => {
    if (isProgram(node) || (isServer && isUnread(node))) return
    // the values of a sentence are checked with it (`sayings`), except elements
    if (isSaying(node)) {
      forEachElement(node, (element) => visit(element, isTold, false))
      return
    }
    const now = isTold || TOLD.has(calledBy(node))
    const read = isRead || READ.has(getNodeName(node))
    const literal = readLiteral(node)
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) found.push(node.text.trim())
    else if (literal !== undefined) {
      if (
        isServer ? isProse(literal) || (now && isSentence(literal)) : isSentence(literal) || (read && isText(literal))
      )
        found.push(literal)
    }
    // attributes of an element inside a label are judged by their own names
    const inside = read && !ts.isCallExpression(node) && !ts.isJsxAttributes(node)
    ts.forEachChild(node, (child) => {
      const isName = ts.isPropertyAssignment(node) && child === node.name
      if (!isName) visit(child, now, inside)
    })
  }
  visit(parse(path, text), false, false)
  return found
}

/** Calls `call` for the outermost JSX elements in a part of the source. */
function forEachElement(node: ts.Node, call: (element: ts.Node) => void): void {
  ts.forEachChild(node, (child) => {
    if (ts.isJsxElement(child) || ts.isJsxSelfClosingElement(child) || ts.isJsxFragment(child)) call(child)
    else forEachElement(child, call)
  })
}

/** A call of a sentence: its key, the names of its values, and those whose text is written in the code. */
type Saying = { key: string; given: string[]; written: string[] }

/** Returns the calls of a file that use a sentence by its key. */
export function sayings(path: string, text: string): Saying[] {
  const found: Saying[] = []
  const visit = (node: ts.Node): void => {
    const [key, values] = ts.isCallExpression(node) && isSaying(node) ? node.arguments : []
    const isPlain = values === undefined || (ts.isObjectLiteralExpression(values) && !values.properties.some(isSpread))
    if (key && ts.isStringLiteral(key) && isPlain) {
      const given = values && ts.isObjectLiteralExpression(values) ? [...values.properties] : []
      const name = (one: ts.ObjectLiteralElementLike): string => one.name?.getText() ?? ''
      found.push({ key: key.text, given: given.map(name), written: given.filter(isWritten).map(name) })
    }
    ts.forEachChild(node, visit)
  }
  visit(parse(path, text))
  return found
}

const isSpread = (node: ts.Node): boolean => ts.isSpreadAssignment(node)

/** Matches a name for programs: `terminal5`, `wallet_to_account`. */
const CODE = /^[a-z]+[\dA-Z_]\w*$/

/** Returns whether a value is a text that is written in the code, in place or in a named constant. */
function isWritten(node: ts.Node): boolean {
  if (ts.isShorthandPropertyAssignment(node)) return isWritten(node.name)
  if (ts.isPropertyAssignment(node)) return isWritten(node.initializer)
  if (ts.isIdentifier(node)) {
    const value = findConstant(node)
    return value !== undefined && isWritten(value)
  }
  const literal = readLiteral(node)
  if (literal !== undefined && isText(literal) && !CODE.test(literal)) return true
  if (ts.isConditionalExpression(node)) return isWritten(node.whenTrue) || isWritten(node.whenFalse)
  if (ts.isBinaryExpression(node))
    return /^(\?\?|\|\||\+)$/.test(node.operatorToken.getText()) && ts.forEachChild(node, isWritten) === true
  return (
    (ts.isParenthesizedExpression(node) || ts.isTemplateExpression(node) || ts.isTemplateSpan(node)) &&
    ts.forEachChild(node, isWritten) === true
  )
}

/** Returns the value of a constant of the same file that is visible where its name is used. */
function findConstant(name: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node = name.parent; scope; scope = scope.parent) {
    const isParameter = ts.isFunctionLike(scope) && scope.parameters.some((one) => one.name.getText() === name.text)
    if (isParameter) return undefined
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue
    for (const statement of scope.statements) {
      const all = ts.isVariableStatement(statement) ? statement.declarationList.declarations : []
      const one = all.find((declaration) => declaration.name.getText() === name.text)
      if (one) return one.initializer
    }
  }
  return undefined
}
