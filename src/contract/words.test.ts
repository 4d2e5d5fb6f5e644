import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { de } from '../words/de.ts'
import { en } from '../words/en.ts'
import { NOT_FOR_PEOPLE } from './texts-for-developers.ts'
import { sayings, spoken } from './visible-texts.ts'

const sentences: Readonly<Record<string, string>> = en
/** Areas whose every sentence has a translation. */
const FINISHED = new Set(
  'auth bulk common dashboard deposits field fields independence lists money notifications palette parts problems saved-views security shell sink standby timeline views withdrawals'.split(
    ' ',
  ),
)
/** Matches the keys of sentences in mails, in any area. */
const OF_LETTERS = /\.mail\.|^users\.left\.|^system\.(key\.shown|warning)/

/** Old phrases, and words of the interface, that clerks did not understand at once. */
const NOT_UNDERSTOOD = [
  'provisioned|soft-deleted|hard failure|dispatched|in smallest units|common pool|partly yours|first word|your word is',
  'nobody is missing|which account is this client|from an earlier mail|brought to this client by hand',
  String.raw`no fire and no thief|\bby the policy:`,
]

const parse = (text: string) => new IntlMessageFormat(text, 'en').getAst()
type Parts = ReturnType<typeof parse>
/** The kinds of parts of a sentence that name no value: plain text, the number of a plural, a tag. */
const NAMELESS = [0, 7, 8]
/** The kind of part that chooses among texts by a value, which is not shown itself. */
const CHOICE = 5

/** Returns the values that a sentence names, in branches of plurals and choices too; `skip` leaves out parts. */
const listValueNames = (parts: Parts, skip: readonly number[] = NAMELESS): string[] =>
  parts.flatMap((part) => [
    ...('value' in part && !skip.includes(part.type) ? [String(part.value)] : []),
    ...('options' in part ? Object.values(part.options).flatMap(({ value }) => listValueNames(value, skip)) : []),
    ...('children' in part ? listValueNames(part.children, skip) : []),
  ])
/** Returns the words of a sentence in all its branches, without the names of values and choices. */
const listWords = (parts: Parts): string[] =>
  parts.flatMap((part) => [
    ...(part.type === 0 ? [part.value] : []),
    ...('options' in part ? Object.values(part.options).flatMap(({ value }) => listWords(value)) : []),
    ...('children' in part ? listWords(part.children) : []),
  ])
const shownBy = (key: string): string[] => listValueNames(parse(sentences[key] ?? ''), [...NAMELESS, CHOICE])
const root = join(import.meta.dir, '../..')

async function readFiles(folders: readonly string[]): Promise<[path: string, text: string][]> {
  const found: [string, string][] = []
  for (const folder of folders)
    for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root))
      if (!path.includes('.test.')) found.push([path, await Bun.file(join(root, path)).text()])
  return found.toSorted()
}

describe('the catalogue of what people read', () => {
  test('every sentence of the catalogue can be formatted', () => {
    for (const [key, text] of Object.entries(sentences)) {
      expect(key).toMatch(/^[a-z-]+(\.[a-zA-Z0-9_-]+)+$/)
      expect(parse(text).length, key).toBeGreaterThan(0)
    }
  })

  test('every file that is listed with texts for developers exists', async () => {
    const paths = (await readFiles(['src'])).map(([path]) => `/${path}`)
    const stale = NOT_FOR_PEOPLE.filter(([files]) => !paths.some((path) => files.test(path)))
    expect(stale.map(([files]) => String(files))).toEqual([])
  })

  test('a sentence of another language has the values of the English one', () => {
    const listDistinctValues = (text: string): string[] => [...new Set(listValueNames(parse(text)))].sort()
    const different = Object.entries(de).filter(([key, text]) => {
      const english = sentences[key]
      return english === undefined || listDistinctValues(text).join() !== listDistinctValues(english).join()
    })
    expect(different.map(([key]) => key)).toEqual([])
  })

  test('German has every sentence of the finished areas and of mails', () => {
    const isFinished = (key: string): boolean => FINISHED.has(key.replace(/\..*/, '')) || OF_LETTERS.test(key)
    expect(Object.keys(sentences).filter((key) => isFinished(key) && !Object.hasOwn(de, key))).toEqual([])
  })

  test('the console shows no sentence that is not in the catalogue', async () => {
    const files = (await readFiles(['admin-ui'])).filter(([path]) => !path.includes('/testing/'))
    expect(files.length).toBeGreaterThan(300)
    const found = files.flatMap(([path, text]) => spoken(path, text, false).map((what) => `${path}: ${what}`))
    expect(found).toEqual([])
  })

  test('the server shows people no sentence that is not in the catalogue, in problems, mails, checks or stored texts', async () => {
    const files = await readFiles(['src/modules', 'src/platform'])
    const found = files.flatMap(([path, text]) => spoken(path, text, true).map((what) => `${path}: ${what}`))
    expect(found).toEqual([])
  })

  test('every sentence of the catalogue is used somewhere, with the values that it names', async () => {
    const files = await readFiles(['src', 'admin-ui'])
    // the catalogue itself does not count as a use, and the list of actions beside it does
    const texts = files.filter(([path]) => !path.startsWith('src/words/en')).map(([, text]) => text)
    const all = texts.join('\n')
    const prefixes = [...all.matchAll(/`([a-z-]+(?:\.[a-zA-Z0-9_-]+)*\.)\$\{/g)].map(([, prefix = '']) => prefix)
    const isSaid = (key: string): boolean =>
      all.includes(`'${key}'`) || prefixes.some((prefix) => key.startsWith(prefix))
    expect(Object.keys(sentences).filter((key) => !isSaid(key))).toEqual([])
  })

  test('each call of a sentence gives exactly the values that the sentence names', async () => {
    const listDistinctValues = (key: string): string[] =>
      listValueNames(parse(sentences[key] ?? '')).filter((name, at, all) => all.indexOf(name) === at)
    const wrong = (await readFiles(['src', 'admin-ui'])).flatMap(([path, text]) =>
      sayings(path, text).flatMap(({ key, given }) =>
        Object.hasOwn(sentences, key) && given.toSorted().join() !== listDistinctValues(key).toSorted().join()
          ? [`${path}: ${key} names ${listDistinctValues(key).join()}, given ${given.join()}`]
          : [],
      ),
    )
    expect(wrong).toEqual([])
  })

  test('no value of a sentence is a piece of text, only a fact or a choice among words', async () => {
    const pieces = (await readFiles(['src', 'admin-ui'])).flatMap(([path, text]) =>
      sayings(path, text).flatMap(({ key, written }) =>
        written.filter((name) => shownBy(key).includes(name)).map((name) => `${path}: ${name} of ${key}`),
      ),
    )
    expect(pieces).toEqual([])
  })

  test('the sentences for people use the words of the glossary, not those of the interface', () => {
    // src/words/README.md; a query names tables, and the recovery key is kept on paper
    const free = /^(sandbox|system)\./
    const wrong = Object.entries(sentences).filter(
      ([key, text]) =>
        !free.test(key) && /\b(traders?|tenants?|customers?|papers?)\b/i.test(listWords(parse(text)).join(' ')),
    )
    expect(wrong).toEqual([])
  })

  test('no sentence uses a phrase that readers did not understand', () => {
    const old = new RegExp(NOT_UNDERSTOOD.join('|'), 'i')
    const wrong = [sentences, de].flatMap((texts) => Object.entries(texts).filter(([, text]) => old.test(text)))
    expect(wrong).toEqual([])
  })

  test('the last part of a key is not the beginning of its sentence, unless it is a code or a state', async () => {
    const all = (await readFiles(['src', 'admin-ui'])).map(([, text]) => text).join('\n')
    const isName = (word: string): boolean => new RegExp(`\\b${word}:`).test(all)
    const echoes = (key: string, text: string): boolean => {
      const parts = key.replace(/^.*\./, '').split('_')
      const said: string[] = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
      const places = parts.map((part, at) => said.indexOf(part, at === 0 ? 0 : said.indexOf(parts[at - 1] ?? '') + 1))
      return parts.length > 2 && places.every((place) => place >= 0 && place < parts.length + 3)
    }
    const wrong = Object.entries(sentences).filter(([key, text]) => echoes(key, text))
    expect(wrong.filter(([key]) => !isName(key.replace(/^.*\./, '')))).toEqual([])
  })

  test('no two sentences have one key', async () => {
    const keys = (await readFiles(['src/words/en'])).flatMap(([, text]) =>
      [...text.matchAll(/^ {2}'([^']+)':/gm)].map(([, key = '']) => key),
    )
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
    expect(keys).toHaveLength(Object.keys(sentences).length)
  })
})

describe('the check itself', () => {
  const inService = (text: string): string[] => spoken('src/modules/x/x.service.ts', text, true)
  const inPage = (text: string): string[] => spoken('admin-ui/x.tsx', text, false)

  test('the search for texts outside the catalogue finds a sentence in the console and in a service', () => {
    const page = `const a = <Page title="New" className="a b"><b>Hello there</b>{say('x.y')}{ok ? 'Not yet' : 'no'}</Page>`
    expect(inPage(page)).toEqual(['New', 'Hello there', 'Not yet'])
    const service = `throw invalid('code', 'taken', 'is taken already'); const sql = 'SELECT a FROM b'`
    expect(inService(service)).toEqual(['is taken already'])
  })

  test('the search for texts outside the catalogue finds one in constants, helpers, results and templates of the server', () => {
    expect(inService(`const WHY = 'somebody else settles it'`)).toEqual(['somebody else settles it'])
    expect(inService(`requireManager(ctx, 'This needs a manager.')`)).toEqual(['This needs a manager.'])
    expect(inService(`return \`below \${threshold} \${currency}\``)).toEqual(['below … …'])
    expect(inService(`post(tx, { description: late ? \`Refused by \${name}\` : "Transfer refused" })`)).toEqual([
      'Refused by …',
      'Transfer refused',
    ])
  })

  test('the search for texts outside the catalogue ignores those for programs, logs, documents and the database', () => {
    const texts = [
      `import { a } from 'some of these words'`,
      'const A = statement(sql`SELECT one of these`); const B = "DELETE FROM wallets WHERE id = ?"',
      `ctx.log.error({ err }, 'the attempt was not made'); throw new Error('there is no such column')`,
      `const Body = Type.Object({ a: Type.String({ description: 'the id of a client' }) })`,
      `metrics.gauge('a', 'How many there are.'); headers({ 'cache-control': 'public, max-age=1, immutable' })`,
      `if (state === 'one of these words' || text.includes('two of these words')) return 'wallet_to_account'`,
    ]
    expect(texts.flatMap(inService)).toEqual([])
    expect(spoken('src/platform/tls/files.ts', `const a = 'the key cannot be read'`, true)).toEqual([])
    expect(inPage('const shell = `SIGNATURE=$(printf %s "$BODY" | cut -d" " -f1)`')).toEqual([])
  })

  test('the search for pieces of text given to a sentence finds them, also by the name of a constant', () => {
    const writtenIn = (text: string): string[] => sayings('a.ts', text).flatMap(({ written }) => written)
    expect(writtenIn(`say('a.b', { by: none ? 'the client' : name, count: 3, when: formatTime(at, 'long') })`)).toEqual(
      ['by'],
    )
    expect(
      writtenIn(`const what = \`The rate \${pair}\`; const f = () => say("a.b", { what, of: \`\${n}/\${m}\` })`),
    ).toEqual(['what'])
    expect(
      writtenIn(`const why = 'too old'; const f = (why: string) => say('a.b', { why, platform: 'terminal5' })`),
    ).toEqual([])
    expect(inPage(`const a = tell('a.b', { link: <a href="/x">Open it</a>, is: 'not here' })`)).toEqual(['Open it'])
  })
})
