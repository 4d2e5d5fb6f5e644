import { Command, CommanderError } from 'commander'
import { createKey } from './commands/api-key.ts'
import { backupNow, drillNow } from './commands/backup.ts'
import { demo } from './commands/demo/demo.ts'
import { doctor } from './commands/doctor/doctor.ts'
import { health } from './commands/health.ts'
import { leftBehind } from './commands/left-behind.ts'
import { licenses } from './commands/licenses.ts'
import { migrateNow } from './commands/migrate.ts'
import { openapi } from './commands/openapi.ts'
import { type ParquetFlags, writeParquet } from './commands/parquet.ts'
import { type ProxyFlags, proxyPrint } from './commands/proxy.ts'
import { recoveryKey, terminal } from './commands/recovery-key.ts'
import { type RestoreFlags, restoreNow } from './commands/restore.ts'
import { rollback } from './commands/rollback.ts'
import { runTaskHere } from './commands/run-task.ts'
import { runTerminals } from './commands/run-terminals.ts'
import { serve } from './commands/serve.ts'
import { printService } from './commands/service.ts'
import { setup } from './commands/setup.ts'
import { type SimulatorFlags, simulate } from './commands/simulator.ts'
import { promote, type StandbyFlags, serveStandby } from './commands/standby.ts'
import { type TerminalTestFlags, testTerminalHere } from './commands/terminal-test.ts'
import { ConfigError, loadConfig, toVariableName } from './config.ts'
import { build } from './platform/embedded.ts'
import { SETTINGS } from './settings-list.ts'

/** The exit codes: 0 success, 1 failure, 2 wrong usage or configuration. */
const USAGE = 2

// databases, logs and keys are made unreadable for other users
process.umask(0o077)

const { version, commit } = build()

/** Adds the settings that are flags; all of them can be variables too. */
function withSettings(command: Command, fallbacks: Readonly<Record<string, string>> = {}): Command {
  for (const setting of SETTINGS) {
    const fallback = fallbacks[setting.name] ?? setting.fallback
    const byDefault = fallback === '' ? '' : `; default ${fallback}`
    if ('flag' in setting)
      command.option(`--${setting.name} <value>`, `${setting.help} (${toVariableName(setting.name)}${byDefault})`)
  }
  return command
}

const readFlags = (command: Command): Record<string, string | undefined> => {
  const options: Record<string, unknown> = command.opts()
  return Object.fromEntries(
    SETTINGS.map(({ name }) => {
      const value = options[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())]
      return [name, typeof value === 'string' ? value : undefined]
    }),
  )
}

const program = new Command('brokerbase')
  .description('The back office of a small trading brokerage in one executable file.')
  .version(`brokerbase ${version} (${commit})`, '--version')
  .exitOverride()

/** The demo has its own directory, and its webhook receiver is on this machine. */
const DEMO_DEFAULTS = { 'data-dir': './demo-data', 'allowed-networks': '127.0.0.0/8' }

// `brokerbase openapi | head` closes the pipe early, which is no fault
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
const print = (text: string) => void process.stdout.write(text)

/** Runs a command that may ask its user something. */
async function asking<T>(run: (open: () => ReturnType<typeof terminal>) => Promise<T>): Promise<T> {
  let dialogue: ReturnType<typeof terminal> | undefined
  try {
    return await run(() => {
      dialogue ??= terminal()
      return dialogue
    })
  } finally {
    dialogue?.close()
  }
}

withSettings(program.command('serve').description('run the server'))
  .option('--alone', 'no standby has taken over: write although the place of the replica does not answer')
  .action(async ({ alone }: { alone?: true }, command: Command) => {
    await serve({ ...loadConfig(readFlags(command)), alone: alone ?? false })
  })

withSettings(program.command('standby').description('follow another server by its replica, and answer reads'))
  .option('--replace', 'where data lies there already: keep that aside')
  .option('--key-words', 'ask for the 24 words of the recovery key')
  .option('--key-file <file>', 'read the key from a file such as a kept secret.key')
  .action((options: StandbyFlags, command: Command) =>
    asking((open) => serveStandby(loadConfig(readFlags(command)), options, open)),
  )

withSettings(program.command('promote').description('make the standby on this machine the server that writes'))
  .option('--now', 'the old machine is off: wait for neither its lease nor its last answers')
  .action(async (options: { now?: true }, command: Command) => {
    const tell = (step: string): void => print(`${step}\n`)
    await promote(loadConfig(readFlags(command)), options.now ?? false, tell)
  })

withSettings(
  program
    .command('left-behind')
    .description('on the old machine after a takeover: print as CSV what the new one lacks'),
)
  .option('--papers <directory>', 'also write the documents of that time there, as they were uploaded')
  .action((options: { papers?: string }, command: Command) =>
    leftBehind(loadConfig(readFlags(command)), options.papers, print),
  )

withSettings(
  program.command('demo').description('run a demo brokerage with invented people in ./demo-data'),
  DEMO_DEFAULTS,
)
  .option('--reset', 'throw the demo’s data away and make it anew')
  .action(async (options: { reset?: true }, command: Command) =>
    demo(loadConfig(readFlags(command), { defaults: DEMO_DEFAULTS }), { reset: options.reset ?? false }),
  )

withSettings(program.command('setup').description('found a firm with its owner, without a browser'))
  .requiredOption('--tenant <name>', 'name of the firm')
  .requiredOption('--email <address>', 'e-mail address of its owner')
  .requiredOption('--password-stdin', 'read the owner’s password from standard input')
  .action(async (options: { tenant: string; email: string }, command: Command) => {
    const password = (await Bun.stdin.text()).replace(/\r?\n$/, '')
    print(await setup(loadConfig(readFlags(command)), { ...options, password }))
  })

withSettings(
  program.command('api-key').description('API keys').command('create').description('make an API key; prints it once'),
)
  .requiredOption('--tenant <slug>', 'slug of the firm')
  .requiredOption('--label <text>', 'what the key is for')
  .requiredOption('--scopes <list>', 'comma-separated, such as traders:read,deposits:write')
  .action(async (options: { tenant: string; label: string; scopes: string }, command: Command) =>
    print(await createKey(loadConfig(readFlags(command)), options)),
  )

program
  .command('openapi')
  .description('print the OpenAPI document')
  .action(async () => print(await openapi(loadConfig({}))))

withSettings(program.command('migrate').description('bring the database up to this program’s schema')).action(
  async (_, command: Command) => print(await migrateNow(loadConfig(readFlags(command)))),
)

withSettings(
  program.command('recovery-key').description('show the key of this installation as words to write down'),
).action(async (_, command: Command) => {
  const dialogue = terminal()
  try {
    await recoveryKey(loadConfig(readFlags(command)), dialogue)
  } finally {
    dialogue.close()
  }
})

withSettings(program.command('backup').description('take a snapshot now, beside a server or without one')).action(
  async (_, command: Command) => print(await backupNow(loadConfig(readFlags(command)))),
)

withSettings(program.command('drill').description('restore the newest copies beside the data and prove them'))
  .option('--json', 'print what was found as JSON')
  .action(async (options: { json?: true }, command: Command) =>
    drillNow(loadConfig(readFlags(command)), { json: options.json ?? false }, print),
  )

withSettings(program.command('parquet').description('write the tables of the SQL page as Parquet files for analysis'))
  .requiredOption(
    '--to <directory>',
    'where to; a bucket such as s3://bucket/path is opened by the keys of the replica’s',
  )
  .option('--firm <slug>', 'only this firm')
  .option('--with-people', 'also columns that tell of people; erasing a client does not reach such files')
  .action(async ({ to, ...options }: ParquetFlags & { to: string }, command: Command) => {
    const flags = readFlags(command)
    const [config, { parquet: nightly }] = [loadConfig({ ...flags, 'parquet-to': to }), loadConfig(flags)]
    print(await writeParquet({ config, nightly }, options))
  })

withSettings(program.command('restore').description('put the data of a replica or snapshot in place, proven first'))
  .option('--at <time>', 'as it was then, such as 2026-11-23T09:05:00Z; default: the newest there is')
  .option('--history <id>', 'the history to take it from, where the moment does not tell')
  .option('--snapshot [file or name]', 'from a snapshot in place of the replica; default: the newest')
  .option('--to <directory>', 'to another directory than the data directory')
  .option('--dry-run', 'only fetch and prove it')
  .option('--replace', 'where data lies there already: keep that aside')
  .option('--key-words', 'ask for the 24 words of the recovery key')
  .option('--key-file <file>', 'read the key from a file such as a kept secret.key')
  .option('--trust-contents', 'take a copy although nothing proves that its contents are of this installation')
  .option('--json', 'print the report as JSON')
  .action(async (options: RestoreFlags, command: Command) =>
    print(await asking((open) => restoreNow(loadConfig(readFlags(command)), options, open))),
  )

withSettings(
  program.command('rollback').description('put back the data as it was before the last upgrade, for the older version'),
).action(async (_, command: Command) => {
  const dialogue = terminal()
  try {
    await rollback(loadConfig(readFlags(command)), dialogue)
  } finally {
    dialogue.close()
  }
})

withSettings(program.command('doctor').description('look at everything that the installation stands on'))
  .option('--json', 'print what was found as JSON')
  .action(async (options: { json?: true }, command: Command) => {
    await doctor(readFlags(command), { json: options.json ?? false }, print)
    // exits without waiting for answers that come too late
    process.stdout.write('', () => process.exit())
  })

withSettings(program.command('health').description('ask the server on this machine whether it is ready')).action(
  async (_, command: Command) => print(await health(loadConfig(readFlags(command)))),
)

program
  .command('service')
  .description('running it as a service')
  .command('print')
  .description('print a sandboxed systemd unit for this executable')
  .action(() => print(printService(process.execPath)))

program
  .command('licenses')
  .description('print the terms of everything in this program that others made')
  .action(() => print(licenses()))

withSettings(
  program
    .command('proxy')
    .description('a proxy before several boxes')
    .command('print')
    .description('print the configuration of HAProxy for the named boxes'),
)
  .option('--name <box>', 'only the boxes that have the firms of this one')
  .option('--map', 'print the map of firms instead, for /etc/haproxy/firms.map')
  .action(async (options: ProxyFlags, command: Command) =>
    print(await proxyPrint(loadConfig(readFlags(command)), options)),
  )

withSettings(
  program
    .command('terminal')
    .description('connections to trading servers')
    .command('test <connection>')
    .description('test a connection, named by its id or name, and print the checks; it writes nothing here'),
)
  .requiredOption('--firm <slug>', 'the firm whose connection it is')
  .option('--login <number>', 'a demo login for --move')
  .option('--move', 'move 0.01 onto that login and off again, once you typed its number')
  .option('--fixtures <file>', 'write what was seen to a new file as JSON, without passwords and names')
  .action(async (connection: string, options: TerminalTestFlags, command: Command) => {
    const config = loadConfig(readFlags(command))
    const isFine = await asking((dialogue) => testTerminalHere(config, connection, options, { dialogue, print }))
    // exits without waiting for the child that spoke to the server
    process.stdout.write('', () => process.exit(isFine ? 0 : 1))
  })

program
  .command('simulator')
  .description('run a trading server that does not exist, for trying out connections to terminals')
  .option('--accounts <number>', 'how many logins a new one has', '100')
  .option('--positions <number>', 'how many open positions', '200')
  .option('--deals <number>', 'how many deals of the last year', '5000')
  .option('--seed <number>', 'the same number invents the same', '1')
  .option('--port <number>', 'where it listens, on this machine only; 0 chooses a free one', '8443')
  .option('--pace <number>', 'how often it trades by itself, in acts a second', '5')
  .option('--state <file>', 'keep everything in this file, and go on with what is there')
  .option('--control <port>', 'a port for faults, trades and the journal, with a token that is printed')
  .action((options: SimulatorFlags) => simulate(options, print))

// hidden: the program starts itself with this command for work that must be killable
program.command('run-task <name>', { hidden: true }).action(async (name: string) => print(await runTaskHere(name)))
// hidden: the child that speaks to trading servers
program.command('run-terminals', { hidden: true }).action(runTerminals)

/** Returns an error as a sentence for people, with the stack only if the fault is ours. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return 'The port is taken by another program; choose another with --port.'
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return `Not allowed: ${error.message}. Is the data directory this user’s?`
  return error.message
}

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE)
  process.stderr.write(`brokerbase: ${explain(error)}\n`)
  process.exit(error instanceof ConfigError ? USAGE : 1)
}
