import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import ts from '@typescript/typescript6'
import { IntlMessageFormat } from 'intl-messageformat'
import { en } from '../words/en.ts'

const sentences: Readonly<Record<string, string>> = en

const parse = (text: string) => new IntlMessageFormat(text, 'en').getAst()
/** Parts of a sentence that name no value: plain text, the number of a plural, a tag. */
const NAMELESS = [0, 7, 8]
const root = join(import.meta.dir, '../..')

/**
 * Folders whose sentences are all in the catalogue. What came before it follows when its screens are worked over; a new
 * folder is one of these from its first line on.
 */
const WORDED_CONSOLE = ['affiliates', 'ads', 'reports', 'sandbox', 'views', 'merge', 'bulk', 'search']
const WORDED_MODULES = [
  'affiliates',
  'commissions',
  'payouts',
  'ads',
  'reporting',
  'sandbox',
  'views',
  'merges',
  'privacy',
]

async function filesOf(folders: readonly string[]): Promise<[path: string, text: string][]> {
  const found: [string, string][] = []
  for (const folder of folders)
    for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root))
      if (!path.includes('.test.')) found.push([path, await Bun.file(join(root, path)).text()])
  return found.toSorted()
}

const isSentence = (text: string): boolean => /\p{L}\s+\p{L}/u.test(text) || /^\p{Lu}\p{Ll}+[.…?!]?$/u.test(text)
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
])
const UNREAD = new Set([
  'className',
  'style',
  'd',
  'viewBox',
  'transform',
  'pattern',
  'gridTemplateColumns',
  'autoComplete',
])
/** Calls of the server whose texts reach a person. */
const TOLD = new Set(['defineErrors', 'invalid', 'Problem', 'wrongState'])

const nameOf = (node: ts.Node): string =>
  ts.isJsxAttribute(node) || ts.isPropertyAssignment(node) ? node.name.getText() : ''

/** Texts that a person would read, written where they are used; `told` looks only into calls that tell somebody. */
function spoken(path: string, text: string, told: boolean): string[] {
  // in a file without JSX `<T>` begins a type, not an element
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const found: string[] = []
  const visit = (node: ts.Node, isTold: boolean, isRead: boolean): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || UNREAD.has(nameOf(node))) return
    const called = ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression.getText() : ''
    if (called === 'say' || called === 'Error') return
    const now = isTold || TOLD.has(called)
    const read = isRead || READ.has(nameOf(node))
    const literal = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) found.push(node.text.trim())
    else if (literal && now && (isSentence(node.text) || (read && !told && /\p{L}/u.test(node.text))))
      found.push(node.text)
    ts.forEachChild(node, (child) => visit(child, now, read && !ts.isCallExpression(node)))
  }
  visit(source, !told, false)
  return found
}

describe('the catalogue of what people read', () => {
  test('every sentence can be said', () => {
    for (const [key, text] of Object.entries(sentences)) {
      expect(key).toMatch(/^[a-z-]+(\.[a-zA-Z0-9_-]+)+$/)
      expect(parse(text).length, key).toBeGreaterThan(0)
    }
  })

  test('the console says nothing that is not in it', async () => {
    const files = await filesOf(WORDED_CONSOLE.map((name) => `admin-ui/features/${name}`))
    const found = files.flatMap(([path, text]) => spoken(path, text, false).map((what) => `${path}: ${what}`))
    expect(found).toEqual([])
  })

  test('neither do the problems of the server', async () => {
    const files = await filesOf(WORDED_MODULES.map((name) => `src/modules/${name}`))
    const found = files.flatMap(([path, text]) => spoken(path, text, true).map((what) => `${path}: ${what}`))
    expect(found).toEqual([])
  })

  test('every sentence is said somewhere, with the values that it names', async () => {
    const files = await filesOf(['src', 'admin-ui'])
    const texts = files.filter(([path]) => !path.startsWith('src/words/')).map(([, text]) => text)
    const all = texts.join('\n')
    const prefixes = [...all.matchAll(/`([a-z-]+(?:\.[a-zA-Z0-9_-]+)*\.)\$\{/g)].map(([, prefix = '']) => prefix)
    const isSaid = (key: string): boolean =>
      all.includes(`'${key}'`) || prefixes.some((prefix) => key.startsWith(prefix))
    expect(Object.keys(sentences).filter((key) => !isSaid(key))).toEqual([])
    const named = (key: string): string[] => {
      const text: string | undefined = Object.entries(sentences).find(([name]) => name === key)?.[1]
      if (text === undefined) return []
      return parse(text).flatMap((part) => ('value' in part && !NAMELESS.includes(part.type) ? [part.value] : []))
    }
    const bare = [...all.matchAll(/\bsay\('([^']+)'\)/g)].map(([, key = '']) => key)
    expect(bare.filter((key) => named(key).length > 0)).toEqual([])
  })
})

describe('the check itself', () => {
  test('finds what is written where it is used', () => {
    const page = `const a = <Page title="New" className="a b"><b>Hello there</b>{say('x.y')}{ok ? 'Not yet' : 'no'}</Page>`
    expect(spoken('a.tsx', page, false)).toEqual(['New', 'Hello there', 'Not yet'])
    const service = `throw invalid('code', 'taken', 'is taken already'); const sql = 'SELECT a FROM b'`
    expect(spoken('a.ts', service, true)).toEqual(['is taken already'])
  })
})
