import { type Clock, DAY, HOUR } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Certificate } from '../certificate.ts'
import type { Authority } from './authority.ts'
import { twoThirds } from './renewal.ts'
import type { Memory } from './store.ts'

/** How often the authority is asked when it wants a certificate renewed, unless it says how often. */
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

/** Says when a certificate is to be renewed. */
export type Renewals = {
  /** When to renew: at two thirds of its life, or in the authority's window, whichever comes first. */
  renewAt(certificate: Certificate): Promise<number>
}

/**
 * Draws a random moment within a window, so that not all servers come at its beginning. A moment that was already drawn
 * in it stays, since drawing again would drift to later ones; without a window it is the one that is kept.
 */
export function momentIn(asked: Suggested, kept: number, wasDrawn: boolean, random: () => number): number {
  const stays = asked !== null && kept >= asked.start && kept <= asked.end && wasDrawn
  return asked === null || stays ? kept : asked.start + random() * (asked.end - asked.start)
}

/** Asks the authority for the window of a certificate; without an answer the moment that was kept stays. */
async function askWindow(
  { authority, log, random }: Options,
  certificate: Certificate,
  known: Window | undefined,
  now: number,
): Promise<Window> {
  const { serial } = certificate
  // what was drawn for the certificate before says nothing of this one
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

/** Asks the authority when it wants a certificate renewed, as often as it says, and remembers what it answered. */
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
