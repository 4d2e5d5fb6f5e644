import { ConfigError, isPublicName, type TlsConfig } from '../../config.ts'
import { DAY, HOUR, SECOND, toIso } from '../clock.ts'
import type { Platform } from '../platform.ts'
import type { TlsState } from '../tls-state.ts'
import { openAuthority } from './acme/authority.ts'
import { createKeeper } from './acme/keeper.ts'
import { openAcmeStore } from './acme/store.ts'
import { type Certificate, CertificateError, endsSoon, listCertificateDoubts, readCertificate } from './certificate.ts'
import { makeKey, selfSigned } from './der.ts'
import { openCertificateFiles } from './files.ts'
import type { Challenges } from './plain-door.ts'

const FILES_EVERY = 5 * SECOND
/** Names and end of the certificate are checked at this interval; a new domain of a firm waits for the next check. */
const ACME_EVERY = HOUR
/** The life of the temporary certificate, which is long because the authority may not be reached for long. */
const STAND_IN_DAYS = 365

/** The certificate of a server over time. */
export type Tls = {
  current(): Certificate
  challenges: Challenges
  state(): TlsState
  /** Begins to look for newer certificates, and calls `swap` with each. */
  start(swap: (certificate: Certificate) => void): void
  /** Looks for a newer certificate now, even if a failure before has to be waited out. */
  lookNow(): Promise<void>
  stop(): void
}

type Source = {
  first: Certificate
  /** Whether `first` is the temporary certificate. */
  standsIn: boolean
  every: number
  look(): Certificate | null | Promise<Certificate | null>
  hurry(): void
  lastError(): string | null
}

const getHost = ({ config }: Platform): string => new URL(config.publicUrl).hostname

function fromFiles({ log }: Platform, { cert, key }: { cert: string; key: string }): Source {
  const files = openCertificateFiles({ cert, key }, log)
  try {
    return { first: files.read(), standsIn: false, every: FILES_EVERY, hurry: () => {}, ...files }
  } catch (error) {
    if (error instanceof CertificateError)
      throw new ConfigError(`BROKERBASE_TLS_CERT, BROKERBASE_TLS_KEY: ${error.message}.`, { cause: error })
    throw error
  }
}

function fromAuthority(
  platform: Platform,
  { directory, email }: { directory: string; email: string | null },
  challenges: Challenges,
): Source {
  const { clock, log, egress, config } = platform
  const store = openAcmeStore(config.dataDir, directory)
  const host = getHost(platform)
  let kept: Certificate | null = null
  try {
    kept = store.certificate()
  } catch (error) {
    log.error({ err: error }, 'the certificate that was kept cannot be read: another one is asked for')
  }
  const standIn = (): Certificate => {
    const key = makeKey()
    return readCertificate(selfSigned([host], key, { from: clock.now() - DAY, days: STAND_IN_DAYS }), key)
  }
  let authority: ReturnType<typeof openAuthority> | undefined
  const keeper = createKeeper({
    authority: () => {
      authority ??= openAuthority({ egress, clock, directory, email, challenges, accountKey: store.accountKey() })
      return authority
    },
    store,
    clock,
    log,
    listNames: () => {
      const domains = platform.directory
        .tenants()
        .flatMap(({ domain, status }) => (domain !== null && status === 'active' ? [domain.toLowerCase()] : []))
      return [...new Set([host, ...domains.filter(isPublicName)])]
    },
    current: () => kept,
  })
  return {
    first: kept ?? standIn(),
    standsIn: kept === null,
    every: ACME_EVERY,
    look: async () => {
      const made = await keeper.look()
      if (made) kept = made
      return made
    },
    hurry: keeper.hurry,
    lastError: keeper.lastError,
  }
}

/** The certificate that is used now, and the state of the search for a newer one. */
type Turn = {
  readonly platform: Platform
  readonly source: Source
  current: Certificate
  /** Whether `current` is the temporary certificate. */
  standsIn: boolean
  warnedAt: number
  swap: (certificate: Certificate) => void
  timer: Timer | undefined
  looking: Promise<void> | undefined
  stopped: boolean
}

function doubt({ platform, current }: Turn): void {
  const { log, clock } = platform
  for (const why of listCertificateDoubts(current, getHost(platform), clock.now()))
    log.warn({ why }, 'the certificate is used all the same')
}

/** Logs once a day that the certificate ends soon. */
function warnOfEnd(turn: Turn): void {
  const { platform, source, current, standsIn, warnedAt } = turn
  const now = platform.clock.now()
  if (standsIn || !endsSoon(current, now) || now - warnedAt < DAY) return
  turn.warnedAt = now
  const { notAfter } = current
  platform.log.warn({ notAfter: toIso(notAfter), lastError: source.lastError() }, 'the certificate ends soon')
}

function use(turn: Turn, next: Certificate): void {
  const { log } = turn.platform
  try {
    turn.swap(next)
    turn.current = next
    turn.standsIn = false
    log.info({ names: next.names, notAfter: toIso(next.notAfter) }, 'new connections get the new certificate')
    doubt(turn)
  } catch (error) {
    log.error({ err: error }, 'the new certificate could not be put to use')
  }
}

async function look(turn: Turn): Promise<void> {
  const next = await turn.source.look()
  if (next && !turn.stopped) use(turn, next)
  warnOfEnd(turn)
}

/** Looks for a newer certificate; a call during a running search waits for that search. */
function lookOnce(turn: Turn): Promise<void> {
  const { log } = turn.platform
  turn.looking ??= look(turn)
    // no caller could do anything about the error, and the server goes on with its present certificate
    .catch((error: unknown) => log.error({ err: error }, 'the look for a newer certificate failed'))
    .finally(() => {
      turn.looking = undefined
    })
  return turn.looking
}

/** Looks for a newer certificate after `ms` milliseconds, and then again at each interval of the source. */
function lookAfter(turn: Turn, ms: number): void {
  const next = async (): Promise<void> => {
    await lookOnce(turn)
    if (!turn.stopped) lookAfter(turn, turn.source.every)
  }
  turn.timer = setTimeout(next, ms).unref()
}

/** Opens the certificate that the settings name; throws ConfigError if its files cannot be used. */
export function openTls(platform: Platform, config: TlsConfig): Tls {
  const challenges: Challenges = new Map()
  const source = config.source === 'files' ? fromFiles(platform, config) : fromAuthority(platform, config, challenges)
  const turn: Turn = {
    platform,
    source,
    current: source.first,
    standsIn: source.standsIn,
    warnedAt: Number.NEGATIVE_INFINITY,
    swap: () => {},
    timer: undefined,
    looking: undefined,
    stopped: false,
  }
  if (!turn.standsIn) doubt(turn)

  return {
    current: () => turn.current,
    challenges,
    state: () => ({
      source: config.source,
      notAfter: turn.standsIn ? null : turn.current.notAfter,
      names: turn.standsIn ? [] : turn.current.names,
      lastError: source.lastError(),
      endsSoon: turn.standsIn || endsSoon(turn.current, platform.clock.now()),
    }),
    start: (taker) => {
      turn.swap = taker
      // it looks only after the start, because an authority sends its challenges to the port that was just opened
      lookAfter(turn, 0)
    },
    lookNow: async () => {
      await turn.looking
      source.hurry()
      await lookOnce(turn)
    },
    stop: () => {
      turn.stopped = true
      clearTimeout(turn.timer)
    },
  }
}
