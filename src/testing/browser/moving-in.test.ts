import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Firm, foundFirm } from '../app.ts'
import { makeWorkbook } from '../workbook.ts'
import { button, type Console, chromiumPath, startConsole } from './browser.ts'

setDefaultTimeout(240_000)

const BYTES = new TextEncoder()
/** Returns a text as Excel writes it in Windows’ Western alphabet. */
const windows1252 = (text: string): Uint8Array => Uint8Array.from([...text].map((one) => one.charCodeAt(0)))

type RealFile = {
  name: string
  bytes: () => Uint8Array | Promise<Uint8Array>
  platform: string
  /** Columns for which a person chooses the fields by hand. */
  says?: Readonly<Record<string, string>>
  totals: Readonly<Record<string, string>>
  clients: number
}

const CLIENTS_OF_WORKBOOK = 2000
const FILES: readonly RealFile[] = [
  {
    name: 'accounts.csv',
    bytes: () =>
      BYTES.encode(
        [
          'Login;Name;Group;Country;Balance;Credit',
          '1811971;Ann Lee;real\\EUR-ECN;UK;1,944.50;0.00',
          '1811972;Bob Ray;real\\USD-std;Russian Federation;50.00;0.00',
        ].join('\r\n'),
      ),
    platform: 'Terminal 5',
    says: { Balance: 'Opening balance' },
    totals: { EUR: '1944.50', USD: '50.00' },
    clients: 2,
  },
  {
    name: 'report.csv',
    bytes: () =>
      BYTES.encode(
        [
          'Clients, all groups, 2026.11.20',
          '',
          'Login;Name;Group;Country;City;Phone;Email;ID;Reg.date;Leverage;Balance;Credit',
          '70001;"O\'Brien; Pat";real-usd;Ireland;Cork;+353851234567;pat@x.test;P77;2019.01.02;1 : 500;125.50;0',
          '70002;"O\'Brien; Pat";real-usd;Ireland;Cork;+353851234567;pat@x.test;P77;2019.01.02;500:1;74.50;0',
          ';;;;;;;;;;;',
        ].join('\r\n'),
      ),
    platform: 'Terminal 4',
    says: { Balance: 'Opening balance' },
    totals: { USD: '200.00' },
    clients: 1,
  },
  {
    name: 'kunden.csv',
    bytes: () =>
      windows1252(
        [
          'Kundennummer;E-Mail;Vorname;Nachname;Land;Geburtsdatum;Konto;Währung;Saldo',
          '="0012";ute@x.test;Ute;Müller;Österreich;31.12.1990;5001;EUR;1.944,50',
          '0013;jan@x.test;Jan;Groß;Türkei;1.2.1985;5002;EUR;12,5',
          ';;;;;;;;',
        ].join('\r\n'),
      ),
    platform: 'Terminal 4',
    totals: { EUR: '1957.00' },
    clients: 2,
  },
  {
    name: 'clients.xlsx',
    bytes: () =>
      makeWorkbook({
        Clients: [
          ['Client ID', 'E-mail', 'First name', 'Last name', 'Country', 'Account', 'Currency', 'Balance'],
          ...Array.from({ length: CLIENTS_OF_WORKBOOK }, (_, n) => [
            `W-${n}`,
            `book${n}@x.test`,
            'Wen',
            `Book ${n}`,
            'Germany',
            String(600_000 + n),
            'EUR',
            n + 0.25,
          ]),
        ],
      }),
    platform: 'Terminal 4',
    totals: { EUR: String((CLIENTS_OF_WORKBOOK * (CLIENTS_OF_WORKBOOK - 1)) / 2 + CLIENTS_OF_WORKBOOK / 4) },
    clients: CLIENTS_OF_WORKBOOK,
  },
]

describe.skipIf(!chromiumPath)('moving in by the console', () => {
  let app: Console
  let firm: Firm
  const opened: Record<string, number> = {}

  beforeAll(async () => {
    app = await startConsole()
    firm = await foundFirm(app.running.platform, 'mover')
  })
  afterAll(() => app?.close())

  test.each(FILES.map((file) => [file.name, file] as const))(
    'the file %s of another system is imported unedited, correct to the cent',
    async (name, file) => {
      const path = await app.visit('/traders/import', { as: firm.as.admin }, async (page) => {
        await button(page, 'New file').first().click()
        const bytes = Buffer.from(await file.bytes())
        await page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: bytes })
        await page.getByRole('combobox', { name: 'Platform of the accounts' }).click()
        await page.getByRole('option', { name: file.platform }).click()
        for (const [column, field] of Object.entries(file.says ?? {})) {
          await page.getByRole('combobox', { name: column, exact: true }).click()
          await page.getByRole('option', { name: field }).click()
        }
        await button(page, 'Check the file').click()
        await page.waitForURL('**/traders/import/*')
        await button(page, 'Import').click()
        for (const [currency, total] of Object.entries(file.totals))
          await page.getByLabel(`Control total ${currency}`).fill(total)
        await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
        await page.getByText('Waits for confirmation').first().waitFor()
        return new URL(page.url()).pathname.replace('/admin', '')
      })
      await app.visit(path, { as: firm.as.owner }, async (page) => {
        await button(page, 'Confirm and post').click()
        await page.getByRole('dialog').getByRole('button', { name: 'Confirm and post' }).click()
        await page.getByText('Imported', { exact: true }).first().waitFor()
      })
      const made = await app.ask('GET', `/v1${path}`, firm.as.admin)
      expect([made.created, made.refused]).toEqual([file.clients, 0])
      for (const [currency, total] of Object.entries(file.totals))
        opened[currency] = (opened[currency] ?? 0) + Math.round(Number(total) * 100)
      const { accounts } = await app.ask('GET', '/v1/ledger/trial-balance', firm.as.manager)
      const credited = accounts.filter(({ account }: { account: string }) => account === 'client_available')
      expect(
        Object.fromEntries(
          credited.map(({ currency, balance }: Record<string, string>) => [
            currency,
            Math.round(Number(balance) * 100),
          ]),
        ),
      ).toEqual(opened)
    },
  )
})
