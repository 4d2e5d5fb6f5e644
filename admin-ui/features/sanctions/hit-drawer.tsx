import { Button, Drawer, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { ReasonForm } from '../../components/reason-form.tsx'
import { Facts } from '../../components/record-page.tsx'
import { When } from '../../components/when.tsx'
import { WIDE_DRAWER } from '../../lib/drawer-widths.ts'
import { useDecided } from '../../lib/use-decided.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { useStaff } from '../users/users.api.ts'
import { decideHit, type Hit, type NamedHit, SOURCE_LABELS } from './sanctions.api.ts'
import { BothSides } from './side-by-side.tsx'

const BIRTH: Record<Hit['explanation']['birth'], string> = {
  same: 'Same day',
  same_year: 'Same year',
  differs: 'Differs',
  unknown: 'Not known',
}
const COUNTRY: Record<Hit['explanation']['country'], string> = {
  same: 'Same',
  differs: 'Differs',
  unknown: 'Not known',
}

type Decision = 'clear' | 'confirm'

// A decision can be revised; what was found later may show that it was wrong.
const DECISIONS: Record<Hit['status'], readonly Decision[]> = {
  open: ['clear', 'confirm'],
  cleared: ['confirm'],
  confirmed: ['clear'],
}
const WORDS: Record<Decision, { choice: string; revision: string; title: string; label: string; text: string }> = {
  clear: {
    choice: 'Somebody else',
    revision: 'Revise: somebody else',
    title: 'It is somebody else',
    label: 'Clear this match',
    text: 'Money may leave again, once no other match is open or confirmed. Your reason is kept with the list’s fingerprint.',
  },
  confirm: {
    choice: 'It is this person',
    revision: 'Revise: it is this person',
    title: 'It is the person on the list',
    label: 'Confirm this match',
    text: 'No money leaves for this client from now on. Your reason is kept with the list’s fingerprint.',
  },
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** One match: why the names look alike, and the decision about it. */
export const HitDrawer = ({ hit, onClose }: { hit: NamedHit; onClose: () => void }) => {
  const staff = useStaff()
  const [asked, setAsked] = useState<Decision | null>(null)
  const { explanation } = hit
  const revised = hit.status !== 'open'
  const { reload, done } = useDecided('sanctions', onClose)
  return (
    <Drawer opened onClose={onClose} title={`${hit.score} of 100: ${hit.name}`} size={WIDE_DRAWER}>
      <Stack>
        <BothSides id={hit.id} />
        <Facts
          items={[
            ['Client', <TraderLink key="trader" id={hit.traderId} name={hit.traderName} />],
            [say('sanctions.matched'), explanation.listedAs],
            ['List', `${SOURCE_LABELS[hit.source]}, entry ${hit.reference}`],
            ['Likeness', say('sanctions.name_score', { score: explanation.nameScore, total: hit.score })],
            ['Date of birth', BIRTH[explanation.birth]],
            ['Country', COUNTRY[explanation.country]],
            ['Found', <When key="found" at={hit.createdAt} />],
            ['Decided by', hit.decidedBy ? staff.nameOf(hit.decidedBy) : undefined],
            ['Decided at', hit.decidedAt ? <When key="decided" at={hit.decidedAt} /> : undefined],
            ['Reason', hit.reason ?? undefined],
          ]}
        />
        <Table aria-label="Words compared" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Client</Table.Th>
              <Table.Th>List</Table.Th>
              <Table.Th ta="right">Alike</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {explanation.words.map(({ ours, theirs, similarity }) => (
              <Table.Tr key={`${ours}-${theirs}`}>
                <Table.Td>{ours}</Table.Td>
                <Table.Td>{theirs}</Table.Td>
                <Table.Td ta="right">{similarity} %</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="xs" c="dimmed" className="key">
          List file {hit.listHash}
        </Text>
        <Group justify="flex-end" gap="xs">
          {DECISIONS[hit.status].map((decision) => (
            <Button
              key={decision}
              {...(decision === 'confirm' ? { color: 'red' } : { variant: 'default' })}
              onClick={() => setAsked(decision)}
            >
              {revised ? WORDS[decision].revision : WORDS[decision].choice}
            </Button>
          ))}
        </Group>
      </Stack>
      {asked && (
        <ReasonForm
          title={revised ? `Revise the decision: ${lower(WORDS[asked].title)}` : WORDS[asked].title}
          submitLabel={revised ? 'Revise the decision' : WORDS[asked].label}
          missing={revised ? 'Say why the decision changes' : 'Say how you know'}
          danger={asked === 'confirm'}
          submit={(reason) => decideHit(hit, asked, reason)}
          onDone={() => done(asked === 'clear' ? 'Match cleared.' : 'Match confirmed; no money leaves.')}
          onClose={() => setAsked(null)}
          onReload={reload}
        >
          <Text size="sm">{WORDS[asked].text}</Text>
          {revised && (
            <Text size="sm">It takes the place of the decision made before, whose reason stays in the audit log.</Text>
          )}
        </ReasonForm>
      )}
    </Drawer>
  )
}
