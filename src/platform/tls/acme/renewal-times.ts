import { type Clock, DAY, HOUR } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Certificate } from '../certificate.ts'
import type { Authority } from './authority.ts'
import { twoThirds } from './renewal.ts'
import type { Memory } from './store.ts'

/** The interval at which the authority is asked for the renewal window, unless it gives another one. */
const ASK_EVERY = 6 * HOUR

type Window = NonNullable<Memory['window']>
type Suggested = Awaited<ReturnType<Authority['renewalWindow']>>
type Options = {
  authority: () => Authority
  clock: Clock
  log: Log
  random: () => number
  known: () => Window | undefined
  remember: (window: Window) => void
}

export type Renewals = {
  /** Returns when to renew: at two thirds of its life, or in the authority's window, whichever comes first. */
  renewAt(certificate: Certificate): Promise<number>
}

/**
 * Draws a random time within a window, so that not all servers renew at its beginning. A time that was already drawn in
 * it stays, since drawing again would delay it further and further; without a window `kept` stays too.
 */
export function momentIn(asked: Suggested, kept: number, wasDrawn: boolean, random: () => number): number {
  const stays = asked !== null && kept >= asked.start && kept <= asked.end && wasDrawn
  return asked === null || stays ? kept : asked.start + random() * (asked.end - asked.start)
}

/** Asks the authority for the window of a certificate; if that fails, the time of renewal stays. */
async function askWindow(
  { authority, log, random }: Options,
  certificate: Certificate,
  known: Window | undefined,
  now: number,
): Promise<Window> {
  const { serial } = certificate
  // a time that was drawn for the former certificate does not count for this one
  const drawn = known?.serial === serial ? known : undefined
  const kept = drawn?.renewAt ?? twoThirds(certificate)
  try {
    const asked = await authority().renewalWindow(certificate)
    const again = Math.min(Math.max(asked?.askAgainIn ?? ASK_EVERY, HOUR), DAY)
    return { serial, renewAt: momentIn(asked, kept, drawn !== undefined, random), askAt: now + again }
  } catch (error) {
    log.warn({ err: error }, 'the certificate authority does not say when it wants the certificate renewed')
    return { serial, renewAt: kept, askAt: now + HOUR }
  }
}

/** Makes the times of renewal: asks the authority for its window as often as it wants, and stores the answer. */
export function openRenewals(options: Options): Renewals {
  return {
    renewAt: async (certificate) => {
      const now = options.clock.now()
      let window = options.known()
      if (window?.serial !== certificate.serial || window.askAt <= now) {
        window = await askWindow(options, certificate, window, now)
        options.remember(window)
      }
      // no renewal within a day: an authority whose windows are always over would otherwise be asked every hour
      return Math.min(twoThirds(certificate), Math.max(window.renewAt, certificate.notBefore + DAY))
    },
  }
}
