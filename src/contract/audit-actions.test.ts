import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AUDIT_ACTIONS } from '../words/audit-actions.ts'

const root = join(import.meta.dir, '../..')
const product = [...new Bun.Glob('src/{modules,platform,commands}/**/*.ts').scanSync(root)]
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n')

/** Patterns of the actions whose names are composed where they are written, such as `backup.${what}`. */
const made = [...product.matchAll(/(?:write\(|action: |, )`([a-z_.]+)\$\{[^`}]*\}([a-z_]*)`/g)].map(
  ([, before = '', after = '']) => new RegExp(`^${before.replaceAll('.', '\\.')}[a-z_]+${after}$`),
)

// the compiler checks the reverse: `write` and `audit` accept no action without a sentence
test('every audit action that has a sentence is written by product code', () => {
  const isWritten = (action: string): boolean => {
    const entity = action.replace(/\.export$/, '')
    if (entity !== action && product.includes(`entity: '${entity}'`)) return true
    return product.includes(`'${action}'`) || made.some((pattern) => pattern.test(action))
  }
  expect(Object.keys(AUDIT_ACTIONS).filter((action) => !isWritten(action))).toEqual([])
})

test('product code writes no audit action that is reserved for tests', () => {
  expect(product.match(/\b(write|writeSteps)\(\s*'(test|bench|insider)\.|action: '(test|bench|insider)\./g)).toBeNull()
})
