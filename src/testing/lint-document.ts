import { createConfig, lintFromString } from '@redocly/openapi-core'
import { assertValidRuleset, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'

/**
 * What Redocly's and Spectral's recommended rules say about the OpenAPI document: of each no error and at most ten
 * warnings. Usage: bun src/testing/lint-document.ts FILE
 */
const MOST_WARNINGS = 10
/** Spectral counts its severities from errors on. */
const SPECTRAL_ERROR = 0
const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('name the document\n')
  process.exit(2)
}
const source = await Bun.file(file).text()

type Finding = { isError: boolean; text: string }

async function redocly(): Promise<Finding[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return found.map(({ severity, ruleId, message }) => ({
    isError: severity === 'error',
    text: `${ruleId}: ${message}`,
  }))
}

async function spectral(): Promise<Finding[]> {
  const linter = new Spectral()
  const rules: unknown = { extends: [[oas, 'recommended']] }
  assertValidRuleset(rules)
  linter.setRuleset(rules)
  const found = await linter.run(JSON.parse(source))
  return found.map(({ severity, code, path, message }) => ({
    isError: severity === SPECTRAL_ERROR,
    text: `${code}: ${message} (${path.join('.')})`,
  }))
}

let passed = 0
const linters = { Redocly: redocly, Spectral: spectral }
for (const [name, lint] of Object.entries(linters)) {
  const found = await lint()
  const errors = found.filter(({ isError }) => isError).length
  for (const { isError, text } of found) process.stdout.write(`${name} ${isError ? 'error' : 'warning'} ${text}\n`)
  process.stdout.write(`${name}: ${errors} errors, ${found.length - errors} warnings\n`)
  if (errors === 0 && found.length <= MOST_WARNINGS) passed += 1
}
const failed = Object.keys(linters).length - passed
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
