import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../commands/serve.ts'
import { loadConfig } from '../../config.ts'
import { type Firm, foundFirm } from '../app.ts'
import { NO_LIMITS } from '../executable.ts'

/**
 * Makes a client of the OpenAPI document with each of seven usual generators, compiles it, and has it make ten calls to
 * a running server, with nulls and refusals among the answers. It needs Java, Maven, Go, Python and the network; a
 * generator whose programs are missing is skipped with a message. Usage: bun run generators [NAME…]
 */
const HERE = import.meta.dir
const ROOT = join(HERE, '../../..')
/** The generators themselves are kept here between runs. */
const TOOLS = join(ROOT, 'dist/tools/generators')
const PYTHON = ['openapi-generator-cli==7.17.0', 'openapi-python-client==0.29.1', 'ruff==0.14.6']
const RUNTIME = ['pydantic', 'urllib3', 'python-dateutil', 'typing-extensions', 'httpx', 'attrs']
const POSTMAN = ['openapi-to-postmanv2@6.3.3', 'newman@6.2.2']
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const CALLS = 10

type Env = Readonly<Record<string, string>>

/** Runs a program to its end; throws with the end of its output if it fails. */
async function run(command: readonly string[], cwd: string, env: Env = {}): Promise<string> {
  const child = Bun.spawn([...command], { cwd, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(' ')}: ${(out + err).slice(-2000)}`)
  return out
}

const bin = (name: string): string => join(TOOLS, 'venv/bin', name)
const copy = (name: string, to: string): void => writeFileSync(to, readFileSync(join(HERE, name)))

async function prepareTools(): Promise<void> {
  mkdirSync(TOOLS, { recursive: true })
  if (!existsSync(bin('pip'))) await run(['python3', '-m', 'venv', 'venv'], TOOLS)
  await run([bin('pip'), 'install', '-q', ...PYTHON, ...RUNTIME], TOOLS)
  if (!existsSync(join(TOOLS, 'oapi-codegen'))) await run(['go', 'install', OAPI_CODEGEN], TOOLS, { GOBIN: TOOLS })
  writeFileSync(join(TOOLS, 'package.json'), '{"private": true}')
  await run(['npm', 'install', '--no-audit', '--no-fund', ...POSTMAN], TOOLS)
}

/** Runs openapi-generator, which is a Java program. */
const generate = (kind: string, document: string, to: string): Promise<string> =>
  run([bin('openapi-generator-cli'), 'generate', '-i', document, '-g', kind, '-o', to], TOOLS)

type Client = { needs: readonly string[]; make: (document: string, to: string, env: Env) => Promise<string> }

/** Sends ten requests of the collection with Postman's own runner. */
async function runPostman(document: string, to: string, env: Env): Promise<string> {
  mkdirSync(to)
  const collection = join(to, 'collection.json')
  const cli = (name: string): string => join(TOOLS, 'node_modules/.bin', name)
  const options = 'folderStrategy=Tags,parametersResolution=Example,disableOptionalParameters=true'
  await run([cli('openapi2postmanv2'), '-s', document, '-o', collection, '-O', options], to)
  const report = join(to, 'report.json')
  const variables = { baseUrl: env.BASE ?? '', apiKey: env.KEY ?? '' }
  const folders = ['Positions', 'Accounts'].flatMap((name) => ['--folder', name])
  const values = Object.entries(variables).flatMap(([key, value]) => ['--env-var', `${key}=${value}`])
  const flags = ['--reporters', 'json', '--reporter-json-export', report, '--timeout-request', '10000']
  await run([cli('newman'), 'run', collection, ...folders, ...values, ...flags], to).catch(() => '')
  const { run: done } = JSON.parse(readFileSync(report, 'utf8'))
  const answers: { method: string; status: number }[] = done.executions.map(
    (one: { item: { request: { method: string } }; response?: { code: number } }) => ({
      method: one.item.request.method,
      status: one.response?.code ?? 0,
    }),
  )
  const bad = answers.filter(({ status }) => status === 0 || status === 401 || status === 403 || status >= 500)
  if (bad.length > 0) throw new Error(`Postman: ${JSON.stringify(bad)}`)
  const reads = answers.filter(({ method, status }) => method === 'GET' && status === 200).length
  return reads >= 2 && answers.length >= CALLS ? `${CALLS} calls` : `${answers.length} calls, ${reads} of them read`
}

const CLIENTS: Readonly<Record<string, Client>> = {
  python: {
    needs: ['python3', 'java'],
    make: async (document, to, env) => {
      await generate('python', document, to)
      copy('openapi_generator.py', join(to, 'calls.py'))
      return run([bin('python'), 'calls.py'], to, env)
    },
  },
  java: {
    needs: ['python3', 'java', 'mvn'],
    make: async (document, to, env) => {
      await generate('java', document, to)
      copy('Calls.java', join(to, 'src/main/java/Calls.java'))
      await run(['mvn', '-q', '-B', 'compile', 'dependency:copy-dependencies'], to)
      return run(['java', '-cp', 'target/classes:target/dependency/*', 'Calls'], to, env)
    },
  },
  go: {
    needs: ['python3', 'java', 'go'],
    make: async (document, to, env) => {
      await generate('go', document, to)
      rmSync(join(to, 'test'), { recursive: true, force: true })
      mkdirSync(join(to, 'calls'))
      copy('openapi_generator.go', join(to, 'calls/main.go'))
      await run(['go', 'mod', 'tidy'], to)
      return run(['go', 'run', './calls'], to, env)
    },
  },
  'typescript-fetch': {
    needs: ['python3', 'java'],
    make: async (document, to, env) => {
      await generate('typescript-fetch', document, to)
      copy('typescript-fetch.txt', join(to, 'calls.ts'))
      const flags = [
        '--noEmit',
        '--strict',
        '--target',
        'es2022',
        '--module',
        'esnext',
        '--moduleResolution',
        'bundler',
      ]
      const types = ['--skipLibCheck', '--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node']
      await run([process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), ...flags, ...types, 'calls.ts'], to)
      return run([process.execPath, 'calls.ts'], to, env)
    },
  },
  'oapi-codegen': {
    needs: ['go', 'python3'],
    make: async (document, to, env) => {
      mkdirSync(to)
      writeFileSync(join(to, 'go.mod'), 'module calls\n\ngo 1.24\n')
      copy('oapi_codegen.go', join(to, 'main.go'))
      const flags = ['-package', 'main', '-generate', 'types,client', '-o', 'client.gen.go']
      await run([join(TOOLS, 'oapi-codegen'), ...flags, document], to)
      await run(['go', 'mod', 'tidy'], to)
      return run(['go', 'run', '.'], to, env)
    },
  },
  'openapi-python-client': {
    needs: ['python3'],
    make: async (document, to, env) => {
      const path = `${join(TOOLS, 'venv/bin')}:${process.env.PATH ?? ''}`
      await run([bin('openapi-python-client'), 'generate', '--path', document, '--output-path', to], TOOLS, {
        PATH: path,
      })
      copy('openapi_python_client.py', join(to, 'calls.py'))
      return run([bin('python'), 'calls.py'], to, env)
    },
  },
  postman: { needs: ['npm', 'python3'], make: runPostman },
}

const SCOPES = [
  ...(['traders:read', 'traders:write', 'deposits:read', 'deposits:write', 'audit:read', 'fx:read'] as const),
  ...(['accounts:read', 'accounts:write', 'positions:read', 'positions:write'] as const),
]

async function main(wanted: readonly string[]): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'brokerbase-generators-'))
  let firm: Firm | undefined
  const config = loadConfig({ 'data-dir': join(directory, 'data'), port: '0' }, { env: { ...NO_LIMITS } })
  const server = await startServer(config, async (platform) => {
    firm = await foundFirm(platform, 'generators')
  })
  if (firm === undefined) throw new Error('no firm was founded')
  const document = join(directory, 'openapi.json')
  writeFileSync(document, await (await fetch(`${server.url}/docs/json`)).text())
  const { key } = await firm.key(SCOPES, 'admin')
  let [passed, failed] = [0, 0]
  await prepareTools()
  for (const [name, { needs, make }] of Object.entries(CLIENTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const missing = needs.filter((tool) => Bun.which(tool) === null)
    if (missing.length > 0) {
      process.stdout.write(`${name}: skipped, there is no ${missing.join(', ')}\n`)
      continue
    }
    const env = { BASE: server.url, KEY: key, NAME: name }
    const outcome = await make(document, join(directory, name), env).catch((error: Error) => error.message)
    const isGood = outcome.trim().endsWith(`${CALLS} calls`)
    process.stdout.write(`${name}: ${isGood ? `${CALLS} calls` : outcome}\n`)
    if (isGood) passed += CALLS
    else failed += 1
  }
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  return failed === 0 && passed > 0 ? 0 : 1
}

process.exit(await main(process.argv.slice(2)))
