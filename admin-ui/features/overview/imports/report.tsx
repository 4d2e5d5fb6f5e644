import { Anchor, Table, Text } from '@mantine/core'
import { Section } from '../../../components/page/section.tsx'
import { Money } from '../../../components/show/money.tsx'
import { ScrollRegion } from '../../../components/show/scroll-region.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { formatMessage } from '../../../lib/forms/use-api-form.ts'
import { savesBalances, savesMistakes } from './import-files.ts'
import { FIELD_LABELS } from './import-words.tsx'
import type { Import } from './imports.api.ts'
import { say } from './words.ts'
import './imports.css'

/** An answer names at most this many mistakes; the file has all of them. */
const ALL_SHOWN = 200

/** Shows the opening balances by currency beside their control totals. */
export const Balances = ({ of }: { of: Import }) => (
  <Section
    title={say('movein.balances')}
    description={say('movein.balances_about')}
    flush
    actions={
      <Anchor {...savesBalances(of)} size="sm">
        {say('movein.balances_file')}
      </Anchor>
    }
  >
    <ScrollRegion className="import-table import-amounts" label={say('movein.balances')}>
      <Table aria-label={say('movein.balances')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('movein.currency')}</Table.Th>
            {(['control', 'in_file', 'with_mistakes', 'posted_before', 'to_post', 'posted'] as const).map((head) => (
              <Table.Th key={head} ta="right">
                {say(`movein.${head}`)}
              </Table.Th>
            ))}
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.balances.map(({ currency, control, inFile, refused, known, toPost, posted, agrees }) => (
            <Table.Tr key={currency}>
              <Table.Td>{currency}</Table.Td>
              {Object.entries({ control, inFile, refused, known, toPost, posted }).map(([name, amount]) => (
                <Table.Td key={name} ta="right">
                  {amount !== null && <Money amount={amount} currency={currency} />}
                </Table.Td>
              ))}
              <Table.Td>
                <StatusBadge
                  status={agrees ? 'ok' : 'failed'}
                  label={agrees ? say('movein.agrees') : say('movein.differs')}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  </Section>
)

type FaultsProps = { of: Import; kind: 'errors' | 'notes' }

/** Lists the first mistakes, or what is kept as text, by line and column, with a file of all of them. */
export const Faults = ({ of, kind }: FaultsProps) => {
  const faults = of[kind]
  const title = kind === 'errors' ? say('movein.mistakes') : say('movein.notes')
  return (
    <Section
      title={title}
      {...(kind === 'notes' && { description: say('movein.notes_about') })}
      flush
      actions={
        <Anchor {...savesMistakes(of)} size="sm">
          {say('movein.mistakes_file')}
        </Anchor>
      }
    >
      <ScrollRegion className="import-table" label={title}>
        <Table aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{say('movein.line')}</Table.Th>
              <Table.Th>{say('movein.column')}</Table.Th>
              <Table.Th>{kind === 'errors' ? say('movein.why') : say('movein.noted')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {faults.map(({ line, column, field, code, message }) => (
              <Table.Tr key={`${line} ${field} ${code}`}>
                <Table.Td>{line}</Table.Td>
                <Table.Td>{column ?? (field && FIELD_LABELS[field])}</Table.Td>
                <Table.Td>{formatMessage(message)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
      {faults.length >= ALL_SHOWN && (
        <Text size="xs" c="dimmed" p="sm">
          {say('movein.mistakes_first', { count: faults.length })}
        </Text>
      )}
    </Section>
  )
}
