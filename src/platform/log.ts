import pino from 'pino'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Writes one JSON line per call; `err` in the fields is the place for an error. */
type LogMethod = {
  (fields: Record<string, unknown>, message: string): void
  (message: string): void
}

export type Log = { debug: LogMethod; info: LogMethod; warn: LogMethod; error: LogMethod }

const removed = '[redacted]'
const maxDepth = 8

const secretParts =
  /password|passwd|passphrase|secret|token|authorization|cookie|credential|apikey|privatekey|signature/
const secretNames = new Set(['key', 'otp', 'totp', 'pin', 'cvv', 'pan'])

const isSecretName = (name: string): boolean => {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return secretNames.has(plain) || secretParts.test(plain)
}

// Removes secrets from a text: our own by their prefixes, others by what precedes them.
const scrub = (text: string): string =>
  text
    .replace(/\b(crm_(?:live|test)|whsec)_[\w+/=-]+/g, `$1_${removed}`)
    .replace(/\b(Bearer|Basic)\s+[\w.+/=~-]+/gi, `$1 ${removed}`)
    .replace(/([?&][\w-]*(?:token|key|secret|password|signature|code)=)[^&#\s"']+/gi, `$1${removed}`)
    .replace(/:\/\/[^\s/:@]*:[^\s/@]+@/g, `://${removed}@`)

// A failed statement's message ends with every value that was bound to it: names, addresses, hashes.
const withoutParameters = (text: string): string => scrub(text.replace(/\nparams:[\s\S]*?(?=\n[ \t]+at |$)/g, ''))

const errorFields = (error: Error, depth: number): Record<string, unknown> => ({
  type: error.name,
  message: withoutParameters(error.message),
  ...('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')
    ? { code: error.code }
    : {}),
  ...(error.stack === undefined ? {} : { stack: withoutParameters(error.stack) }),
  ...(error.cause === undefined || depth >= maxDepth ? {} : { cause: clean(error.cause, depth + 1) }),
})

const clean = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return scrub(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return '[too deep]'
  if (value instanceof Error) return errorFields(value, depth)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString()
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Headers || value instanceof Map) return cleanEntries(value, depth)
  if (value instanceof URL) return scrub(value.href)
  if (Array.isArray(value) || value instanceof Set) return Array.from(value, (item) => clean(item, depth + 1))
  return cleanEntries(Object.entries(value), depth)
}

const cleanEntries = (entries: Iterable<[unknown, unknown]>, depth: number): Record<string, unknown> =>
  Object.fromEntries(
    Array.from(entries, ([name, value]) => [
      scrub(String(name)),
      isSecretName(String(name)) && value !== null && value !== undefined ? removed : clean(value, depth + 1),
    ]),
  )

/** Standard error that does not fail when nobody reads it any more: a server goes on serving when its log is gone. */
const standardError = () => {
  const destination = pino.destination({ dest: 2, sync: true })
  destination.on('error', () => {})
  return destination
}

/**
 * A log of JSON lines on standard error (standard output is for what commands print). Fields named like a secret are
 * replaced at any depth, errors are logged without their bound values, bytes as their length. `write` takes the lines
 * instead; for tests.
 */
export const createLog = (options: { level: LogLevel; write?: (line: string) => void }): Log => {
  const { level, write } = options
  // No pino transports: they start worker threads from files, which an executable does not have.
  const destination = write === undefined ? standardError() : { write }
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // The fields are cleaned before pino sees them; its own error serializer would add an error's every property.
      serializers: { err: (err: unknown) => err },
    },
    destination,
  )
  const method =
    (at: Exclude<LogLevel, 'silent'>): LogMethod =>
    (first: Record<string, unknown> | string, message?: string): void => {
      if (!logger.isLevelEnabled(at)) return
      if (typeof first === 'string') logger[at](scrub(first))
      // `%s` in a message is text here: nothing is ever interpolated into it.
      else logger[at](cleanEntries(Object.entries(first), 0), scrub(message ?? ''))
    }
  return { debug: method('debug'), info: method('info'), warn: method('warn'), error: method('error') }
}
