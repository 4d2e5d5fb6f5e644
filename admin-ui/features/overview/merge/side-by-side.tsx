import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { Section } from '../../../components/page/section.tsx'
import { Labels } from '../../../components/show/labels.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { countryName } from '../../../lib/text/countries.ts'
import { dayText } from '../../../lib/text/day-text.ts'
import { traderName } from '../../clients/traders/trader-names.ts'
import { KYC_LABELS } from '../../clients/traders/trader-words.ts'
import type { Trader } from '../../clients/traders/traders.api.ts'
import { type SentenceKey, say } from './words.ts'
import './merge.css'

/** Each line has a name, the fields that it compares, and a function that shows them. */
const LINES: readonly (readonly [SentenceKey, readonly (keyof Trader)[], (trader: Trader) => ReactNode])[] = [
  ['merges.field.name', ['firstName', 'lastName'], traderName],
  ['field.email', ['email'], ({ email }) => email],
  ['field.phone', ['phone'], ({ phone }) => phone],
  ['field.dateOfBirth', ['dateOfBirth'], ({ dateOfBirth }) => dateOfBirth && dayText(dateOfBirth)],
  ['field.country', ['country'], ({ country }) => country && countryName(country)],
  ['field.status', ['status'], ({ status }) => <StatusBadge status={status} />],
  [
    'merges.field.identity',
    ['kycStatus', 'kycLevel'],
    ({ kycStatus, kycLevel }) => `${KYC_LABELS[kycStatus]}, ${say('merges.field.level', { level: kycLevel })}`,
  ],
  ['field.riskLevel', ['riskLevel'], ({ riskLevel }) => <StatusBadge status={riskLevel} />],
  ['field.segments', ['segments'], ({ segments }) => <Labels values={segments} />],
  ['field.tags', ['tags'], ({ tags }) => <Labels values={tags} />],
  ['merges.field.since', [], ({ createdAt }) => <When at={createdAt} as="date" />],
]

const differs = (a: Trader, b: Trader, keys: readonly (keyof Trader)[]): boolean =>
  keys.some((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]))

/** Shows two clients line by line, and marks what differs. */
export const SideBySide = ({ primary, secondary }: { primary: Trader; secondary: Trader }) => (
  <Section title={say('merges.side.title')} flush>
    <Table className="merge-sides" aria-label={say('merges.side.title')} verticalSpacing={6} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{say('merges.side.field')}</Table.Th>
          <Table.Th>{say('merges.side.stays')}</Table.Th>
          <Table.Th>{say('merges.side.goes')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {LINES.map(([word, keys, show]) => (
          <Table.Tr key={word} data-differs={differs(primary, secondary, keys) || undefined}>
            <Table.Th scope="row">{say(word)}</Table.Th>
            <Table.Td>{orDash(show(primary))}</Table.Td>
            <Table.Td>{orDash(show(secondary))}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Section>
)
