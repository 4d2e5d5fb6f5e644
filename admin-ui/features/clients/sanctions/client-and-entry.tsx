import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from '../../../components/page/loaded.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { countryName } from '../../../lib/text/countries.ts'
import { dayText } from '../../../lib/text/day-text.ts'
import { fetchHit } from './sanctions.api.ts'
import { say } from './words.ts'

const formatListedDate = (text: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? dayText(text) : text)
const formatListedCountry = (code: string): string => (/^[A-Z]{2}$/.test(code) ? countryName(code) : code)
const lines = (items: readonly string[]): ReactNode =>
  orDash(items.length === 0 ? null : items.map((item) => <div key={item}>{item}</div>))

/** Shows the client beside the entry of the list, so that the reader compares dates and countries themselves. */
export const BothSides = ({ id }: { id: string }) => {
  const hit = useQuery({ queryKey: ['sanctions', 'one', id], queryFn: () => fetchHit(id) })
  return (
    <Loaded query={hit}>
      {({ client, entry }) => {
        const rows: [label: string, client: ReactNode, entry: ReactNode][] = [
          [say('sanctions.name'), orDash(client?.name), orDash(entry?.name)],
          [say('sanctions.aliases'), orDash(null), lines(entry?.aliases ?? [])],
          [
            say('sanctions.birth'),
            orDash(client?.dateOfBirth && formatListedDate(client.dateOfBirth)),
            lines((entry?.births ?? []).map(formatListedDate)),
          ],
          [
            say('field.country'),
            orDash([client?.city, client?.country && formatListedCountry(client.country)].filter(Boolean).join(', ')),
            lines((entry?.countries ?? []).map(formatListedCountry)),
          ],
          [say('sanctions.programme'), orDash(null), orDash(entry?.programme)],
        ]
        return (
          <Table aria-label={say('sanctions.both')} verticalSpacing={6} className="both-sides">
            <Table.Thead>
              <Table.Tr>
                <Table.Th />
                <Table.Th scope="col">{say('common.client')}</Table.Th>
                <Table.Th scope="col">{say(entry ? 'sanctions.entry' : 'sanctions.entry_gone')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(([label, ours, theirs]) => (
                <Table.Tr key={label}>
                  <Table.Th scope="row">{label}</Table.Th>
                  <Table.Td>{ours}</Table.Td>
                  <Table.Td>{theirs}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )
      }}
    </Loaded>
  )
}
