import { startOfDay, toDay } from '../../../lib/text/zone.ts'
import type { Server, ServerPatch } from './servers.api.ts'
import { say } from './words.ts'

type Mask = Server['groups'][number]
/** The guarded settings as a form holds them; a mask has a key, since it has no id. */
export type SettingValues = {
  address: string
  trust: Server['trust']
  certificate: string
  login: string
  password: string
  groups: (Mask & { key: number })[]
  /** A day in the firm’s zone. */
  since: string
  money: boolean
}

let serial = 0
/** Returns a new row for a mask. */
export const makeMask = (mask: Mask = { mask: '', type: 'live' }): SettingValues['groups'][number] => {
  serial += 1
  return { ...mask, key: serial }
}

/** Returns the values of a form: those that wait before those in force, and of a new connection the usual ones. */
export const toValues = (server?: Server): SettingValues => {
  const { address, trust, certificate, login, groups, since, money } = { ...server, ...server?.pending?.values }
  return {
    address: address ?? '',
    trust: trust ?? 'public',
    certificate: certificate ?? '',
    login: login ?? '',
    password: '',
    groups: (groups ?? [undefined]).map((mask) => makeMask(mask)),
    since: since === undefined ? '' : toDay(new Date(since)),
    money: money ?? false,
  }
}

const neededText = (text: string): string | null => (text.trim() === '' ? say('terminals.form.needed') : null)

/** The rules of the fields; the server checks their form. */
export const SETTING_RULES = {
  address: neededText,
  login: neededText,
  certificate: (text: string, { trust }: SettingValues) => (trust === 'public' ? null : neededText(text)),
  groups: { mask: neededText },
}

/** Returns a certificate as the server takes it: a fingerprint that was copied may be in several lines. */
function toCertificate(trust: Server['trust'], text: string): string | null {
  if (trust === 'public') return null
  return (trust === 'pinned' ? text.replace(/\s/g, '') : text.trim()) || null
}

/** Returns what the server takes of the values, without password and money. */
export const toSettings = ({ address, trust, certificate, login, groups }: SettingValues) => ({
  address: address.trim(),
  trust,
  certificate: toCertificate(trust, certificate),
  login: login.trim(),
  groups: groups.map(({ mask, type }) => ({ mask: mask.trim(), type })),
})

/** Returns the first moment of the day from which on deals count; nothing for an empty day. */
export const toSince = (day: string): { since?: string } => (day === '' ? {} : { since: startOfDay(day).toISOString() })

/** Returns the settings that differ from those that the form opened with. */
export function pickChanges(before: SettingValues, values: SettingValues): ServerPatch {
  const [was, is] = [toSettings(before), toSettings(values)]
  const differs = (key: keyof typeof is): boolean => JSON.stringify(was[key]) !== JSON.stringify(is[key])
  const isTrust = differs('trust') || differs('certificate')
  return {
    ...(differs('address') && { address: is.address }),
    ...(isTrust && { trust: is.trust, certificate: is.certificate }),
    ...(differs('login') && { login: is.login }),
    ...(differs('groups') && { groups: is.groups }),
    ...(before.since !== values.since && toSince(values.since)),
    ...(values.money && !before.money && { money: true }),
    ...(values.password !== '' && { password: values.password }),
  }
}
