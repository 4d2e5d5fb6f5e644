import { assertValidRuleset, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'

/**
 * Checks the OpenAPI document by Spectral's recommended rules: no error and at most ten warnings. Usage: bun
 * src/testing/lint-document.ts FILE
 */
const MOST_WARNINGS = 10
/** Spectral numbers its severities, with errors first. */
const ERROR = 0
const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('name the document\n')
  process.exit(2)
}
const rules: unknown = { extends: [[oas, 'recommended']] }
assertValidRuleset(rules)
const linter = new Spectral()
linter.setRuleset(rules)
const found = await linter.run(await Bun.file(file).json())
for (const { severity, code, path, message } of found)
  process.stdout.write(`${severity === ERROR ? 'error' : 'warning'} ${code}: ${message} (${path.join('.')})\n`)
const passed = found.length <= MOST_WARNINGS && found.every(({ severity }) => severity !== ERROR)
process.stdout.write(passed ? '1 passed, 0 failed\n' : '0 passed, 1 failed\n')
process.exit(passed ? 0 : 1)
