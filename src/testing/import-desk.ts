import { expect } from 'bun:test'
import { forgetImports, workImports } from '../modules/overview/imports/imports.jobs.ts'
import type { Caller, Firm, TestApp } from './app.ts'

/** The header row of the files that tests import. */
export const HEAD = 'Customer ID,E-Mail,First name,Last name,Country,Account,Currency,Balance'

/** Returns the repeated steps of import tests, for one firm; the admin imports files and the owner confirms them. */
export function createImportDesk(app: TestApp, firm: Firm) {
  const get = async (path: string) => (await app.call('GET', path, { as: firm.as.manager })).body
  /** Runs the job until no import is in progress. */
  const work = () => workImports.run({ platform: app.platform, signal: new AbortController().signal })
  const forget = () => forgetImports.run({ platform: app.platform, signal: new AbortController().signal })
  const bring = (lines: readonly string[], more: object = {}, as: Caller = firm.as.admin) =>
    app.call('POST', '/v1/traders/import', {
      as,
      body: { csv: [HEAD, ...lines].join('\n'), platform: 'terminal4', ...more },
    })
  const read = (id: string) => get(`/v1/traders/import/${id}`)
  const act = (id: string, what: 'confirm' | 'undo', as: Caller = firm.as.owner) =>
    app.call('POST', `/v1/traders/import/${id}/${what}`, { as, ...(what === 'confirm' && { body: {} }) })
  /** Runs an import to its end, or until it waits for a second person; returns the import. */
  const through = async (lines: readonly string[], more: object = {}) => {
    const { status, body } = await bring(lines, more)
    expect(status).toBe(201)
    await work()
    return read(body.id)
  }
  /** Runs an import, then confirms and posts its balances. */
  const posted = async (lines: readonly string[], more: object = {}) => {
    const { id } = await through(lines, more)
    expect((await act(id, 'confirm')).status).toBe(200)
    await work()
    return read(id)
  }
  /** Undoes an import to its end. */
  const undone = async (id: string) => {
    expect((await act(id, 'undo', firm.as.admin)).status).toBe(200)
    await work()
    return read(id)
  }
  const trial = async (): Promise<Record<string, string>> => {
    const body = await get('/v1/ledger/trial-balance')
    expect(body.balanced).toBe(true)
    return Object.fromEntries(
      body.accounts.map((one: Record<string, string>) => [`${one.account} ${one.currency}`, one.balance]),
    )
  }
  const clients = async (q: string) => (await get(`/v1/traders?q=${q}`)).data
  const wallets = async (traderId: string): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await get(`/v1/wallets?traderId=${traderId}`)).data.map((one: Record<string, string>) => [
        one.currency,
        one.available,
      ]),
    )
  /** Credits or debits a client by an adjustment that two people approve. */
  const adjust = async (traderId: string, direction: 'credit' | 'debit', amount: string, currency = 'USD') => {
    const body = { traderId, currency, direction, amount, reason: 'test' }
    const made = await app.call('POST', '/v1/adjustments', { as: firm.as.manager, body })
    const approved = await app.call('POST', `/v1/adjustments/${made.body.id}/approve`, { as: firm.as.owner, body: {} })
    expect(approved.status).toBe(200)
  }
  return { work, forget, bring, read, act, through, posted, undone, trial, clients, wallets, adjust }
}
