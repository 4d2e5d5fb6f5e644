import { Command, CommanderError } from 'commander'
import { serve } from './commands/serve.ts'
import { ConfigError, loadConfig, SETTINGS, variableOf } from './config.ts'
import { build } from './platform/embedded.ts'

/** Exit codes: 0 fine, 1 failed, 2 used wrongly or configured wrongly. */
const USAGE = 2

const { version, commit } = build()

/** Adds the settings that are flags; all of them can be set by variable too. */
function withSettings(command: Command): Command {
  for (const setting of SETTINGS) {
    if ('flag' in setting)
      command.option(
        `--${setting.name} <value>`,
        `${setting.help} (${variableOf(setting.name)}; default ${setting.fallback})`,
      )
  }
  return command
}

const flagsOf = (command: Command): Record<string, string | undefined> => {
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

withSettings(program.command('serve').description('run the server')).action(async (_, command: Command) =>
  serve(loadConfig(flagsOf(command))),
)

/** What went wrong, in words a person can act on; the stack only for faults of our own. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return 'The port is taken by another program; choose another with --port.'
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return `Not allowed: ${error.message}. Is the data directory writable for this user?`
  return error.message
}

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE)
  process.stderr.write(`brokerbase: ${explain(error)}\n`)
  process.exit(error instanceof ConfigError ? USAGE : 1)
}
