import { Alert, Button, Drawer, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isWord, say } from '../../../src/words/say.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { Facts } from '../../components/record-page.tsx'
import { subtractDecimal } from '../../lib/decimal.ts'
import { formatCount } from '../../lib/format.ts'
import { useCan } from '../../lib/session.ts'
import { RunStatus } from './affiliate-words.tsx'
import { fetchRuns, type Run } from './affiliates.api.ts'
import { RunForm } from './run-form.tsx'
import { useAffiliateNames } from './use-affiliate-names.ts'

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

/** The days of a run as people say them: the last one is in it. */
export const runDays = ({ from, to }: Run): string => say('affiliates.run.period', { from, to: dayBefore(to) })

const reasonText = (why: string, count: number): string => {
  const word = `affiliates.skipped.${why}`
  return isWord(word) ? say(word, { count }) : `${why}: ${count}`
}

/** What each affiliate gets of a run, beside what the last closed run of as many days gave them. */
const Totals = ({ run, before }: { run: Run; before: Run | undefined }) => {
  const nameOf = useAffiliateNames()
  const keyOf = ({ affiliateId, currency }: Run['totals'][number]): string => `${affiliateId} ${currency}`
  const last = new Map((before?.totals ?? []).map((total) => [keyOf(total), total.amount]))
  if (run.totals.length === 0) return <Text size="sm">{say('affiliates.run.nothing')}</Text>
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table aria-label={say('affiliates.run.totals')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('affiliates.payout.affiliate')}</Table.Th>
            <Table.Th ta="right">{say('affiliates.line.amount')}</Table.Th>
            {before && <Table.Th ta="right">{say('affiliates.run.before')}</Table.Th>}
            {before && <Table.Th ta="right">{say('affiliates.run.difference')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {run.totals.map((total) => (
            <Table.Tr key={keyOf(total)}>
              <Table.Td>{nameOf(total.affiliateId)}</Table.Td>
              <Table.Td ta="right">
                <Money amount={total.amount} currency={total.currency} />
              </Table.Td>
              {before && (
                <>
                  <Table.Td ta="right">
                    <Money amount={last.get(keyOf(total)) ?? '0'} currency={total.currency} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Money
                      amount={subtractDecimal(total.amount, last.get(keyOf(total)) ?? '0')}
                      currency={total.currency}
                    />
                  </Table.Td>
                </>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** One run: what it found, what brought nothing and why, and what each affiliate gets. */
export const RunDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const can = useCan()
  const [again, setAgain] = useState(false)
  const runs = useQuery({
    queryKey: ['runs', 'last'],
    queryFn: () => fetchRuns({ limit: 200 }),
    refetchInterval: 3000,
  })
  return (
    <Drawer opened onClose={onClose} title={say('affiliates.run.title')} size="lg">
      <Loaded query={runs}>
        {({ data }) => {
          const run = data.find((one) => one.id === id)
          if (!run) return null
          const before = data.find((one) => one.status === 'closed' && one.createdAt < run.createdAt)
          return (
            <Stack>
              <Facts
                items={[
                  [say('affiliates.run.days'), runDays(run)],
                  [say('affiliates.list.status'), <RunStatus key="status" status={run.status} />],
                  [say('affiliates.run.sources'), formatCount(run.sources)],
                  [say('affiliates.run.lines'), formatCount(run.lines)],
                  [say('affiliates.run.corrections'), formatCount(run.corrections)],
                ]}
              />
              {run.lastError && (
                <Alert color="red" variant="light" title={say('affiliates.run.stands')}>
                  {run.lastError}
                </Alert>
              )}
              {run.missingRates.length > 0 && (
                <Alert color="yellow" variant="light" title={say('affiliates.run.missing')}>
                  {run.missingRates.map(({ currency, day }) => `${currency} ${day}`).join(', ')}
                </Alert>
              )}
              <div>
                <Title order={3} size="h5" mb={6}>
                  {say('affiliates.run.totals')}
                </Title>
                <Totals run={run} before={before} />
              </div>
              {Object.keys(run.skipped).length > 0 && (
                <div>
                  <Title order={3} size="h5" mb={6}>
                    {say('affiliates.run.skipped')}
                  </Title>
                  {Object.entries(run.skipped).map(([why, count]) => (
                    <Text size="sm" key={why}>
                      {reasonText(why, count)}
                    </Text>
                  ))}
                </div>
              )}
              {run.status === 'done' && can('admin') && (
                <Group justify="flex-end">
                  <Button onClick={() => setAgain(true)}>{say('affiliates.run.in_earnest')}</Button>
                </Group>
              )}
              {again && (
                <RunForm
                  from={run.from}
                  to={dayBefore(run.to)}
                  onClose={() => {
                    setAgain(false)
                    onClose()
                  }}
                />
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Drawer>
  )
}
