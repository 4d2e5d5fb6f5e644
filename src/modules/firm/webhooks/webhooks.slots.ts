import { SECOND } from '../../../platform/clock.ts'

/** An attempt that takes longer is slow, and so is its receiver until an answer is quicker. */
const SLOW = 2 * SECOND
/** A receiver whose last answer was quick gets this many attempts at once; any other gets one. */
const PER_RECEIVER = 4
/** A firm gets this many attempts at once to quick receivers, and as many to slow ones. */
const PER_FIRM = 16
/** All firms share this many attempts at once if there are very many of them. */
const PER_BOX = 1024

/** A subscription as far as its calls are counted. */
export type Receiver = { id: string; tenantId: string }
/** An attempt in progress. */
export type Attempt = { receiver: Receiver; startedAt: number }

/**
 * Decides who may be called now. Every firm has its own slots, so none waits for another firm's receivers, and slow
 * receivers have separate slots, so they delay only each other. A new receiver gets one attempt. `now` is a monotonic
 * clock.
 */
export function createSlots(now: () => number) {
  const inProgress = new Set<Attempt>()
  /** How long a receiver's last answer took; absent if it was never called. */
  const lastTook = new Map<string, number>()
  const isLate = ({ startedAt }: Attempt): boolean => now() - startedAt > SLOW

  /** Counts the attempts in progress; `take` adds one that is about to start. */
  function tally(firms: number) {
    const counts = new Map<string, number>()
    const hanging = new Set<string>()
    const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
    const share = Math.max(1, Math.min(PER_FIRM, Math.floor(PER_BOX / (2 * Math.max(1, firms)))))
    for (const attempt of inProgress) if (isLate(attempt)) hanging.add(attempt.receiver.id)
    const isSlow = ({ id }: Receiver): boolean => hanging.has(id) || (lastTook.get(id) ?? 0) > SLOW
    const pickPool = (receiver: Receiver): string => `${receiver.tenantId} ${isSlow(receiver) ? 'slow' : 'quick'}`
    const take = (receiver: Receiver): void => {
      add(receiver.id)
      add(pickPool(receiver))
    }
    for (const { receiver } of inProgress) take(receiver)
    const room = (receiver: Receiver): number => {
      const own = !isSlow(receiver) && lastTook.has(receiver.id) ? PER_RECEIVER : 1
      const free = Math.min(own - (counts.get(receiver.id) ?? 0), share - (counts.get(pickPool(receiver)) ?? 0))
      return Math.max(0, free)
    }
    return { room, take }
  }

  return {
    tally,
    start: (receiver: Receiver): Attempt => {
      const attempt = { receiver: { id: receiver.id, tenantId: receiver.tenantId }, startedAt: now() }
      inProgress.add(attempt)
      return attempt
    },
    end: (attempt: Attempt): void => {
      inProgress.delete(attempt)
      // forgetting all is simpler than forgetting each removed receiver
      if (lastTook.size > 10_000) lastTook.clear()
      lastTook.set(attempt.receiver.id, now() - attempt.startedAt)
    },
    get busy() {
      return inProgress.size
    },
  }
}
export type Slots = ReturnType<typeof createSlots>
