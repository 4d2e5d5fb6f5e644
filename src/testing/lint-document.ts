import { createConfig, lintFromString } from '@redocly/openapi-core'

/**
 * What Redocly's recommended rules say about the OpenAPI document: no error and at most ten warnings.
 * Usage: bun src/testing/lint-document.ts FILE
 */
const MOST_WARNINGS = 10
const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('name the document\n')
  process.exit(2)
}
const config = await createConfig({ extends: ['recommended'] })
const found = await lintFromString({ source: await Bun.file(file).text(), absoluteRef: '/openapi.json', config })
for (const { severity, ruleId, message } of found) process.stdout.write(`${severity} ${ruleId}: ${message}\n`)
const errors = found.filter(({ severity }) => severity === 'error').length
const isFine = errors === 0 && found.length <= MOST_WARNINGS
process.stdout.write(`${isFine ? '1 passed, 0 failed' : '0 passed, 1 failed'}\n`)
process.exit(isFine ? 0 : 1)
