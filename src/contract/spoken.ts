import ts from '@typescript/typescript6'

/** Attributes and properties that a person reads, however short their text is. */
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

/** Attributes and properties whose texts are for programs: looks, addresses, names of files. */
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

/** Calls that compare, look up or change texts; and those of the catalogue. */
const PROGRAMS = new Set([
  'Error',
  'closest',
  'endsWith',
  'includes',
  'indexOf',
  'isWord',
  'join',
  'lazyRouteComponent',
  'matchMedia',
  'querySelector',
  'querySelectorAll',
  'replace',
  'say',
  'split',
  'startsWith',
  'tell',
  'useHotkeys',
  'useMediaQuery',
])

/** Calls of the server whose texts reach a person. */
const TOLD = new Set([
  'Problem',
  'defineErrors',
  'invalid',
  'mailAdministrators',
  'mailOwners',
  'queueMail',
  'wrongState',
])

/** Elements that show what a program reads. */
const VERBATIM = new Set(['code', 'Code', 'kbd', 'Kbd', 'pre'])

/** Lists of codes, keys of the catalogue and names of hosts, colours of the page, queries. */
const NO_SENTENCE = /^[A-Z]{2,5}( [A-Z]{2,5})*$|^[a-z]{2}( [a-z]{2})*$|^[a-z-]+(\.\w+)+$|var\(--|^\s*(SELECT|END) /

const isSentence = (text: string): boolean =>
  !NO_SENTENCE.test(text) && (/\p{L}\s+\p{L}/u.test(text) || /^\p{Lu}\p{Ll}+[.…?!]?$/u.test(text))

const isText = (text: string): boolean => /\p{L}/u.test(text) && !NO_SENTENCE.test(text)

const nameOf = (node: ts.Node): string =>
  ts.isJsxAttribute(node) || ts.isPropertyAssignment(node) ? node.name.getText().replaceAll("'", '') : ''

/** What a call calls: the last name of `a.b.c()`. */
function calledBy(node: ts.Node): string {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return ''
  return ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText()
}

/** Whether a part of the program is no text that anybody reads: types, what is compared, what programs look up. */
function isProgram(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true
  if (ts.isJsxElement(node)) return VERBATIM.has(node.openingElement.tagName.getText())
  if (ts.isBinaryExpression(node)) return /^[!=]==?$/.test(node.operatorToken.getText())
  return ts.isCaseClause(node) ? false : UNREAD.has(nameOf(node)) || PROGRAMS.has(calledBy(node))
}

/**
 * Texts of a file that a person would read and that are written where they are used, not in the catalogue. `told` looks
 * only into calls that tell somebody, for the server, most of whose texts are for programs.
 */
export function spoken(path: string, text: string, told: boolean): string[] {
  // in a file without JSX `<T>` begins a type, not an element
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const found: string[] = []
  const visit = (node: ts.Node, isTold: boolean, isRead: boolean): void => {
    if (isProgram(node)) return
    const now = isTold || TOLD.has(calledBy(node))
    const read = isRead || READ.has(nameOf(node))
    const literal = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) found.push(node.text.trim())
    else if (literal && now && (isSentence(node.text) || (read && !told && isText(node.text)))) found.push(node.text)
    // what an element inside a label has for attributes is judged by their own names
    const inside = read && !ts.isCallExpression(node) && !ts.isJsxAttributes(node)
    ts.forEachChild(node, (child) => {
      const isName = ts.isPropertyAssignment(node) && child === node.name
      if (!isName) visit(child, now, inside)
    })
  }
  visit(source, !told, false)
  return found
}

/** The calls of a file that say a sentence by its key, with the names of the values that they give. */
export function sayings(path: string, text: string): { key: string; given: string[] }[] {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const found: { key: string; given: string[] }[] = []
  const visit = (node: ts.Node): void => {
    const [key, values] = ts.isCallExpression(node) && /^(say|tell)$/.test(calledBy(node)) ? node.arguments : []
    const isPlain = values === undefined || (ts.isObjectLiteralExpression(values) && !values.properties.some(isSpread))
    if (key && ts.isStringLiteral(key) && isPlain) {
      const given = values && ts.isObjectLiteralExpression(values) ? values.properties : []
      found.push({ key: key.text, given: given.map((one) => one.name?.getText() ?? '') })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind))
  return found
}

const isSpread = (node: ts.Node): boolean => ts.isSpreadAssignment(node)
