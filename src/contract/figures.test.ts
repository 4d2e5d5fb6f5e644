import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { FIGURES } from './figures.ts'

const root = join(import.meta.dir, '../..')
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')
const read = async (file: string): Promise<string> => inOneLine(await Bun.file(join(root, file)).text())

test.each(FIGURES.map((figure) => [figure.is[1].split('\n')[0], figure] as const))(
  '“%s” is what the texts say',
  async (_, { is: [file, code], told }) => {
    const all = told.map(([page, words]) => `${page}: ${words}`)
    if (!(await read(file)).includes(inOneLine(code)))
      throw new Error(
        `${file} has no “${code}” any more. These texts, and src/contract/figures.ts, say it:\n${all.join('\n')}`,
      )
    const silent: string[] = []
    for (const [page, words] of told) if (!(await read(page)).includes(words)) silent.push(`${page}: ${words}`)
    expect(silent).toEqual([])
  },
)
