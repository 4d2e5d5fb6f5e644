import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

type Text = { path: string; text: string }

const root = join(import.meta.dir, '../..')
/** This file is not searched, since it contains the patterns that it looks for. */
const SELF = 'src/contract/citations.test.ts'

let sources: Text[]
let pages: Text[]
const pageAt = (path: string): Text | undefined => pages.find((page) => page.path === path)

beforeAll(async () => {
  const read = async (pattern: string): Promise<Text[]> => {
    const paths = await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: root, dot: true }))
    return Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })))
  }
  const found = await Promise.all([
    read('{src,admin-ui}/**/*.{ts,tsx,css}'),
    read('migrations/*.sql'),
    read('{*.ts,.biome.json,.ci/*,Dockerfile}'),
  ])
  sources = found.flat().filter(({ path }) => path !== SELF)
  const documents = await Promise.all([read('*.md'), read('{src,admin-ui,.github}/**/*.md')])
  pages = documents.flat()
})

/** Finds the comments of each kind of source; of other files, such as a configuration, the whole text counts. */
const COMMENTS: Readonly<Record<string, RegExp>> = {
  ts: /(?:^|\{) *\/\*.*?\*\/|(?:^|\s)\/\/ [^\n]*/gms,
  css: /\/\*.*?\*\//gs,
  sql: /-- [^\n]*/g,
}
/** Returns the comments of a source, or a whole page, as one line, since a citation may be split over two lines. */
const inOneLine = ({ path, text }: Text): string => {
  if (path.endsWith('.md')) return text.replace(/\s+/g, ' ')
  const kind = path.split('.').at(-1)?.replace('tsx', 'ts') ?? ''
  const pattern = COMMENTS[kind]
  const comments = pattern ? [...text.matchAll(pattern)].map(([comment]) => comment).join('\n') : text
  return comments.replace(/\n\s*(?:\*(?!\/)|\/\/|--|#)?\s*/g, ' ')
}

/** Returns the headings of a page, without those inside code blocks. */
const listHeadings = ({ text }: Text): string[] =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.trim())

/** Returns the anchor that code hosts make from a heading. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** Returns the path of the page that `RULES`, `src/README` or `manual/operating` names. */
const toPagePath = (name: string): string =>
  name === 'RULES' ? 'src/RULES.md' : name.startsWith('manual/') ? `src/${name}.md` : `${name}.md`

/** Matches a page and the headings of it that a comment names in a row. */
const CITED = /(?<![\w/.])(RULES|src\/(?:words\/)?README|manual\/[a-z-]+) ?((?:“[^”]*”(?:, )?)+)/g

/** Returns citations of headings that do not exist. */
const missingHeadings = (source: Text): string[] =>
  [...inOneLine(source).matchAll(CITED)].flatMap(([, name = '', list = '']) => {
    const page = pageAt(toPagePath(name))
    if (!page) return [`${source.path}: ${name} is no page`]
    const known = listHeadings(page)
    return [...list.matchAll(/“([^”]*)”/g)].flatMap(([, heading = '']) =>
      known.includes(heading) ? [] : [`${source.path}: ${name} “${heading}”`],
    )
  })

/** Patterns of texts that look like a citation and lead nowhere. */
const WITHOUT_A_PLACE: readonly [what: string, pattern: RegExp][] = [
  ['a document that is not here', /\bDESIGN\b/g],
  ['RULES without a heading', /\bRULES\b(?! “)/g],
  ['a page without a heading', /(?<![\w/.])(?:src\/(?:words\/)?README|manual\/[a-z-]+)(?! “|\.md|[\w-])/g],
  // standards have sections, and so has an interface that others published
  ['a section of what is no standard', /(?<!\b(?:RFC \d+|draft-[a-z0-9-]+)[,]? )§/g],
]
const withoutAPlace = (source: Text): string[] => {
  const text = inOneLine(source)
  return WITHOUT_A_PLACE.flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)].map(
      ({ index }) => `${source.path}: ${what}: …${text.slice(Math.max(0, index - 40), index + 30)}`,
    ),
  )
}

const decisions = (): string[] => listHeadings(pageAt('src/DECISIONS.md') ?? { path: '', text: '' }).slice(1)

/** Returns citations of decisions that do not exist, or that name no number. */
const missingDecisions = (source: Text): string[] =>
  [...inOneLine(source).matchAll(/\bDECISIONS\b(?!\.md) ?(\d{4})?/g)].flatMap(([cited, number = 'none']) =>
    decisions().some((title) => title.startsWith(`${number} `)) ? [] : [`${source.path}: ${cited}`],
  )

/** Returns names of Markdown files that exist neither from the root nor beside the file that names them. */
const missingFiles = (source: Text): string[] =>
  [...inOneLine(source).matchAll(/(?<![\w$}*…<>/.-])((?:[\w.-]+\/)*[\w-]+\.md)\b/g)].flatMap(([, name = '']) =>
    [root, join(root, dirname(source.path))].some((folder) => existsSync(join(folder, name)))
      ? []
      : [`${source.path}: ${name}`],
  )

describe('comments cite what is in the repository', () => {
  test('every heading that a comment cites exists', () => {
    expect([...sources, ...pages].flatMap(missingHeadings)).toEqual([])
  })

  test('no comment has a citation in another form', () => {
    expect(sources.flatMap(withoutAPlace)).toEqual([])
  })

  test('every decision that a comment cites exists', () => {
    expect([...sources, ...pages].flatMap(missingDecisions)).toEqual([])
  })

  test('every document that a comment names exists', () => {
    expect(sources.flatMap(missingFiles)).toEqual([])
  })
})

describe('documents', () => {
  test('every relative link of a document leads to a file, and to a heading of it', () => {
    const broken = pages.flatMap((page) => {
      const text = page.text.replace(/^ *```.*?^ *```/gms, '').replace(/`[^`]*`/g, '')
      return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
        if (/^[a-z]+:/.test(target)) return []
        const [file = '', anchor] = target.split('#')
        const path = file === '' ? page.path : relative(root, join(root, dirname(page.path), file))
        if (!existsSync(join(root, path))) return [`${page.path}: ${target}`]
        if (anchor === undefined) return []
        const other = pageAt(path)
        return other && listHeadings(other).map(toAnchor).includes(anchor) ? [] : [`${page.path}: ${target}`]
      })
    })
    expect(broken).toEqual([])
  })

  test('no page has two headings of the same name, since a citation could not tell them apart', () => {
    const twice = pages
      .filter(({ path }) => path !== 'CHANGELOG.md')
      .flatMap((page) => {
        const all = listHeadings(page)
        return all.filter((heading, at) => all.indexOf(heading) !== at).map((heading) => `${page.path}: ${heading}`)
      })
    expect(twice).toEqual([])
  })

  test('decisions are numbered one after another, dated, and say what else was possible and what follows', () => {
    const [, ...entries] = (pageAt('src/DECISIONS.md')?.text ?? '').split(/^## /m)
    entries.forEach((entry, at) => {
      expect(entry).toMatch(
        new RegExp(`^${String(at + 1).padStart(4, '0')} [^\n]+ \\(2\\d{3}-\\d\\d-\\d\\d[^)]*\\)\\n`),
      )
      for (const part of ['Decided', 'Instead', 'So']) expect(entry).toContain(`**${part}:**`)
    })
    expect(entries.length).toBe(decisions().length)
  })

  test('the first page of the documents is short', () => {
    expect(pageAt('README.md')?.text.split('\n').length).toBeLessThanOrEqual(201)
  })
})
