import { dirname, join } from 'node:path'
import ts from '@typescript/typescript6'

/** The exports of a file, and the names that it imports from other files. A package has no `exports`. */
export type Module = {
  path: string
  exports: readonly string[]
  /** The imported names, by the path of the file from which they come. */
  takes: ReadonlyMap<string, ReadonlySet<string>>
}

/** Returns the names that a declaration makes: one, or those of a pattern. */
function listNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? listNames(element.name) : []))
}

function listExports(statement: ts.Statement): string[] {
  if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause))
    return statement.exportClause.elements.map(({ name }) => name.text)
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  if (!isExported) return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => listNames(name))
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement)
  return isNamed && statement.name ? [statement.name.text] : []
}

/** Returns the names of an import or a re-export; undefined if it takes the whole file. */
function namedBy(statement: ts.ImportDeclaration | ts.ExportDeclaration): string[] | undefined {
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause
    return clause && ts.isNamedExports(clause)
      ? clause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
      : undefined
  }
  const bindings = statement.importClause?.namedBindings
  if (bindings && ts.isNamespaceImport(bindings)) return undefined
  return bindings ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text) : []
}

/** Returns the file that `import(…)` loads, as a call or as a type. */
function loadedBy(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [target] = node.arguments
    return target && ts.isStringLiteral(target) ? target.text : undefined
  }
  if (!ts.isImportTypeNode(node) || !ts.isLiteralTypeNode(node.argument)) return undefined
  return ts.isStringLiteral(node.argument.literal) ? node.argument.literal.text : undefined
}

/** Returns the interfaces of another file that `declare module '…'` extends. */
const addedTo = ({ body }: ts.ModuleDeclaration): string[] =>
  body && ts.isModuleBlock(body)
    ? body.statements.flatMap((statement) => (ts.isInterfaceDeclaration(statement) ? [statement.name.text] : []))
    : []

/** Reads one file. If it imports a whole file, every identifier that it contains counts as imported. */
export function readModule(path: string, text: string): Module {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind)
  const takes = new Map<string, Set<string>>()
  const whole: string[] = []
  const words = new Set<string>()
  const take = (target: string, names: readonly string[] | undefined): void => {
    if (!target.startsWith('.')) return
    const from = join(dirname(path), target)
    if (names === undefined) whole.push(from)
    takes.set(from, new Set([...(takes.get(from) ?? []), ...(names ?? [])]))
  }
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      if (ts.isStringLiteral(node.moduleSpecifier)) take(node.moduleSpecifier.text, namedBy(node))
    if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) take(node.name.text, addedTo(node))
    const loaded = loadedBy(node)
    if (loaded !== undefined) take(loaded, undefined)
    if (ts.isIdentifier(node) || ts.isStringLiteral(node)) words.add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(file)
  for (const from of whole) takes.set(from, words)
  return { path, exports: file.statements.flatMap(listExports), takes }
}

/** Returns `file: name` of every export that none of the counted files imports. */
export function untaken(modules: readonly Module[], counts: (taker: string, giver: string) => boolean): string[] {
  const taken = new Set(
    modules.flatMap((taker) =>
      [...taker.takes].flatMap(([from, names]) =>
        from !== taker.path && counts(taker.path, from) ? [...names].map((name) => `${from}: ${name}`) : [],
      ),
    ),
  )
  return modules.flatMap(({ path, exports }) =>
    exports.map((name) => `${path}: ${name}`).filter((item) => !taken.has(item)),
  )
}
