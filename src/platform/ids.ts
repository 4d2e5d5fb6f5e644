import { getRandomValues, randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'

export type Ids = { next(prefix: string): string }

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
// Two characters (10 bits) per look-up: a third of the work of going digit by digit.
const pairs = Array.from({ length: 1024 }, (_, n) => `${alphabet[n >> 5]}${alphabet[n & 31]}`)
const twoTo = { 20: 2 ** 20, 40: 2 ** 40 } as const

const encode20 = (n: number): string => `${pairs[n >> 10]}${pairs[n & 1023]}`
const encode40 = (n: number): string => encode20(Math.floor(n / twoTo[20])) + encode20(n % twoTo[20])
const encodeTime = (ms: number): string => `${pairs[Math.floor(ms / twoTo[40])]}${encode40(ms % twoTo[40])}`

const createPool = (size: number) => {
  const pool = new DataView(new ArrayBuffer(size))
  let at = size
  const take = (bytes: number): number => {
    if (at + bytes > size) {
      getRandomValues(new Uint8Array(pool.buffer))
      at = 0
    }
    const from = at
    at += bytes
    return from
  }
  return {
    bits32: (): number => pool.getUint32(take(4)),
    bits40: (): number => {
      const from = take(5)
      return pool.getUint8(from) * 2 ** 32 + pool.getUint32(from + 1)
    },
  }
}

/**
 * Creates ids: `<prefix>_` + 26 lowercase Crockford base32 characters: 48 bits of the clock's milliseconds, then 80
 * random bits. Within one generator the 26 characters strictly increase, also inside one millisecond and when the clock
 * steps back.
 */
export const createIds = (clock: Pick<Clock, 'now'>): Ids => {
  const pool = createPool(4096)
  let time = -1
  let timeText = ''
  let high = 0
  let low = 0

  const startAt = (ms: number): void => {
    time = ms
    timeText = encodeTime(ms)
    high = pool.bits40()
    low = pool.bits40()
  }

  // A random stride, so that one id does not reveal its neighbours.
  const stepWithinMillisecond = (): void => {
    low += 1 + pool.bits32()
    if (low < twoTo[40]) return
    low -= twoTo[40]
    high += 1
    if (high === twoTo[40]) startAt(time + 1)
  }

  return {
    next: (prefix) => {
      const now = Math.floor(clock.now())
      if (now > time) startAt(now)
      else stepWithinMillisecond()
      return `${prefix}_${timeText}${encode40(high)}${encode40(low)}`
    },
  }
}

/** Creates ids of requests: 60 random bits as 12 characters, which do not reveal how many requests there are. */
export const createRequestIds = (): (() => string) => {
  const pool = createPool(4096)
  return () => encode20(pool.bits32() >>> 12) + encode40(pool.bits40())
}

/** Returns when an id was made, in milliseconds, from its first ten characters after the prefix. */
export const readIdTime = (id: string): number =>
  [...id.slice(0, 10)].reduce((ms, digit) => ms * alphabet.length + alphabet.indexOf(digit), 0)

/** Returns that many random bytes as base64url text without padding, for keys, links and cookies. */
export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url')
