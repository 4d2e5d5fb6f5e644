import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, EXECUTABLE, must, requireExecutable, runCommand, signIn, startProcess } from './executable.ts'

/**
 * Follows the manual for two machines with the data of the demo: first and second machine, the first one killed, the
 * second one promoted, somebody signed in there, and the first one back as its standby. Ends with 1 if a line fails, or
 * if it takes more lines or time than promised. Usage: bun run second-machine
 */
const MANUAL = join(import.meta.dir, '../manual/operating.md')
const IN_MANUAL = '/mnt/backup/acme'
const MOST_LINES = 12
const MOST_SECONDS = 180
const [EMAIL, PASSWORD] = ['elena@meridian.example', 'meridian-demo']

requireExecutable()
const root = mkdtempSync(join(tmpdir(), 'brokerbase-second-'))

/** A machine: the lines of the manual for it, and the program that one of them started. */
type Machine = { cwd: string; exported: Record<string, string>; port: number; program: Bun.Subprocess | undefined }
const makeMachine = (name: string, port: number): Machine => {
  const cwd = join(root, name)
  mkdirSync(join(cwd, 'data'), { recursive: true })
  copyFileSync(EXECUTABLE, join(cwd, 'brokerbase'))
  return { cwd, exported: {}, port, program: undefined }
}

/** Returns the lines of the manual for two machines, each with the machine that its block names. */
function readLines(): { machine: 'first' | 'second'; line: string }[] {
  const text = readFileSync(MANUAL, 'utf8').replaceAll(IN_MANUAL, join(root, 'backup'))
  const chapters = text.slice(text.indexOf('## A second machine that reads'), text.indexOf('## Answers that wait'))
  let machine: 'first' | 'second' = 'first'
  return [...chapters.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block
      .trim()
      .split('\n')
      .flatMap((line) => {
        if (!line.startsWith('#')) return [{ machine, line }]
        machine = line.includes('second machine') ? 'second' : 'first'
        return []
      }),
  )
}

/** Runs a line in a shell of its machine; a program that serves goes on in the background. */
async function follow(machine: Machine, line: string): Promise<void> {
  const [, name, value] = /^export (\w+)=(\S+)$/.exec(line) ?? []
  if (name !== undefined && value !== undefined) {
    machine.exported[name] = value
    return
  }
  const { HOME = '', TMPDIR = '/tmp', PATH = '' } = process.env
  const env = Object.assign({ HOME, TMPDIR, PATH: `${machine.cwd}:${PATH}` }, machine.exported)
  const child = Bun.spawn(['bash', '-c', `exec ${line} --port ${machine.port}`], {
    cwd: machine.cwd,
    env,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
  })
  if (/^brokerbase (serve|standby)/.test(line)) {
    machine.program = child
    process.on('exit', () => child.kill('SIGKILL'))
    return
  }
  const [errors, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  must(code === 0, `${line}: ${errors}`)
}

async function untilReady({ port }: Machine, path: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    if (answer?.status === 200) return
    await Bun.sleep(100)
  }
  throw new Error(`${path} of the port ${port} was never 200`)
}

/** Kills the program of a machine, and what it started. */
async function kill({ program, cwd }: Machine): Promise<void> {
  Bun.spawnSync(['pkill', '-9', '-f', `${cwd}/`])
  program?.kill('SIGKILL')
  await program?.exited
}

async function run(): Promise<string> {
  const machines = { first: makeMachine('first', 24_310), second: makeMachine('second', 24_311) }
  const { first, second } = machines
  const demo = await startProcess(['demo', '--data-dir', 'data'], { cwd: first.cwd })
  await demo.kill('SIGTERM')
  copyFileSync(join(first.cwd, 'data/secret.key'), join(second.cwd, 'data/secret.key'))

  const lines = readLines()
  must(lines.length <= MOST_LINES && lines.length > 5, `the manual has ${lines.length} lines`)
  const began = performance.now()
  for (const { machine, line } of lines) {
    const here = machines[machine]
    if (line === 'brokerbase promote') await kill(first)
    await follow(here, line)
    if (line === 'brokerbase serve') await untilReady(first, '/ready/primary')
    if (line === 'brokerbase standby') await untilReady(second, '/ready/read')
    if (line === 'brokerbase promote') await checkServes(second)
    if (line === 'brokerbase standby --replace') await untilReady(first, '/ready/read')
  }
  const seconds = (performance.now() - began) / 1_000
  await Promise.all([first, second].map(kill))
  must(seconds < MOST_SECONDS, `it took ${seconds.toFixed(0)} s`)
  return `${lines.length} lines of the manual, ${seconds.toFixed(0)} s`
}

/** Signs in and adds a client. */
async function checkServes({ port }: Machine): Promise<void> {
  const url = `http://127.0.0.1:${port}`
  const headers = { cookie: await signIn(url, EMAIL, PASSWORD), origin: url }
  const { status, text } = await ask(url, 'POST', '/v1/traders', { headers, body: { email: 'new@clients.example' } })
  must(status === 201, text)
}

try {
  must((await runCommand(['--version'], { cwd: root })).code === 0, 'the program does not run')
  process.stdout.write(`${await run()}\n1 passed, 0 failed\n`)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
Bun.spawnSync(['pkill', '-9', '-f', root])
rmSync(root, { recursive: true, force: true })
process.exit()
