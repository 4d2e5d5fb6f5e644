import { expect, test } from 'bun:test'
import {
  makeActivityFile,
  makeCohortsFile,
  makeCostsFile,
  makeEarningsFile,
  makeOverviewFile,
  makeTaxFile,
} from './report-files.ts'

const REVENUE = `\ufeffsourceType,currency,count,amount,converted,convertedCurrency,side
trade,EUR,2,7.00,8.05,USD,affiliate_costs
spread,EUR,,12.50,,,revenue
`
const readLines = (text: string): string[] => text.replace('\ufeff', '').trimEnd().split('\n')

test('the files of what the firm earned and of what affiliates cost have the words of their page', () => {
  expect(readLines(makeCostsFile(REVENUE, 'USD'))).toEqual([
    'Source,Currency,Number,Amount,In USD',
    'Trades,EUR,2,7.00,8.05',
  ])
  expect(readLines(makeEarningsFile(REVENUE, 'USD'))).toEqual(['Kind,Currency,Amount,In USD', 'Spread,EUR,12.50,'])
})

test('the file of cohorts says what each figure is', () => {
  const text = 'cohort,traders,monthsSince,month,withFirstDeposit,depositing\n2026-10,3,1,2026-11,2,1\n'
  expect(readLines(makeCohortsFile(text))).toEqual([
    'Registered in,Clients,Months later,Month,Ever deposited,Deposited in the month',
    '2026-10,3,1,2026-11,2,1',
  ])
})

test('the file of activity names colleagues and what they did', () => {
  const text = 'userId,name,action,count\nusr_1,Ingrid Solheim,deposit.create,4\n'
  const [head, line] = readLines(makeActivityFile(text))
  expect(head).toBe('Colleague,Action,Number')
  expect(line).toMatch(/^Ingrid Solheim,[A-Z][a-z ]+,4$/)
})

test('the file of the tax report has the columns of its page, and the names of countries', () => {
  const sums = 'opening,deposits,withdrawals,transfersIn,transfersOut,converted,adjustments,commissions,merged,closing'
  const text = `traderId,name,country,currency,${sums},depositsConverted,withdrawalsConverted,convertedCurrency,missingRates
trd_1,Ana Lima,PT,USD,0.00,1500.00,-250.00,0.00,0.00,0.00,0.00,0.00,0.00,1250.00,1380.00,-230.00,EUR,
trd_2,,,USD,0.00,5.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00,5.00,,0.00,EUR,2026-01-01 USD 5.00
`
  expect(readLines(makeTaxFile(text, 'EUR'))).toEqual([
    'Client,Country,Currency,Opening,Deposits,Withdrawals,Transfers in,Transfers out,Converted,Adjustments,Commissions,Merged,Closing,Deposits in EUR,Withdrawals in EUR,Missing rates',
    'Ana Lima,Portugal,USD,0.00,1500.00,-250.00,0.00,0.00,0.00,0.00,0.00,0.00,1250.00,1380.00,-230.00,',
    'Deleted client,,USD,0.00,5.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00,5.00,,0.00,2026-01-01 USD 5.00',
  ])
})

test('the file of the overview has a line for each day, with money in the currency of the report and new clients', () => {
  const day = {
    startsAt: '2026-11-19T23:00:00.000Z',
    endsAt: '2026-11-20T23:00:00.000Z',
    registrations: 12,
    firstDeposits: 3,
  }
  const days = [
    { ...day, day: '2026-11-20' },
    { ...day, day: '2026-11-21', registrations: 0, firstDeposits: 0 },
  ]
  const sums = { deposits: '1500.00', withdrawals: '250.50', net: '1249.50' }
  const converted = { currency: 'EUR', ...sums, days: [{ day: '2026-11-20', ...sums }], missingRates: [] }
  expect(readLines(makeOverviewFile({ days, converted }))).toEqual([
    'Day,Deposits in EUR,Withdrawals in EUR,Net in EUR,Registrations,First deposits',
    '2026-11-20,1500.00,250.50,1249.50,12,3',
    '2026-11-21,,,,0,0',
  ])
})
