import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { MUTATIONS } from './mutation-list.ts'

// the walks take half an hour, and would report a changed source only at their end
test.each(MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
  'the source still has the text whose replacement removes the rule: %s',
  async (_, { file, from, to }) => {
    const source = await Bun.file(join(import.meta.dir, '../../..', file)).text()
    expect(source.split(from).length - 1).toBe(1)
    expect(() => new Bun.Transpiler({ loader: 'ts' }).transformSync(source.replace(from, to))).not.toThrow()
  },
)
