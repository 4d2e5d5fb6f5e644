import { Button, Drawer, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { ReasonForm } from '../../components/reason-form.tsx'
import { Facts } from '../../components/record-page.tsx'
import { When } from '../../components/when.tsx'
import { WIDE_DRAWER } from '../../lib/drawer-widths.ts'
import { useDecided } from '../../lib/use-decided.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { useStaff } from '../users/users.api.ts'
import { decideHit, type Hit, type NamedHit, SOURCE_LABELS } from './sanctions.api.ts'
import { BothSides } from './side-by-side.tsx'
import { say } from './words.ts'

const BIRTH: Record<Hit['explanation']['birth'], string> = {
  same: say('sanctions.same_day'),
  same_year: say('sanctions.same_year'),
  differs: say('sanctions.differs'),
  unknown: say('sanctions.not_known'),
}
const COUNTRY: Record<Hit['explanation']['country'], string> = {
  same: say('sanctions.same'),
  differs: say('sanctions.differs'),
  unknown: say('sanctions.not_known'),
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
    choice: say('sanctions.somebody_else'),
    revision: say('sanctions.revise_somebody_else'),
    title: say('sanctions.it_somebody_else'),
    label: say('sanctions.clear_this_match'),
    text: say('sanctions.money_may_leave_again'),
  },
  confirm: {
    choice: say('sanctions.it_this_person'),
    revision: say('sanctions.revise_it_this_person'),
    title: say('sanctions.it_person_on_list'),
    label: say('sanctions.confirm_this_match'),
    text: say('sanctions.no_money_leaves_for'),
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
    <Drawer
      opened
      onClose={onClose}
      title={say('sanctions.score_of_name', { score: hit.score, name: hit.name })}
      size={WIDE_DRAWER}
    >
      <Stack>
        <BothSides id={hit.id} />
        <Facts
          items={[
            [say('common.client'), <TraderLink key="trader" id={hit.traderId} name={hit.traderName} />],
            [say('sanctions.matched'), explanation.listedAs],
            [
              say('sanctions.list'),
              say('sanctions.entry_of_source', { source: SOURCE_LABELS[hit.source], reference: hit.reference }),
            ],
            [
              say('sanctions.likeness'),
              say('sanctions.name_score', { score: explanation.nameScore, total: hit.score }),
            ],
            [say('common.date_birth'), BIRTH[explanation.birth]],
            [say('sanctions.country'), COUNTRY[explanation.country]],
            [say('sanctions.found'), <When key="found" at={hit.createdAt} />],
            [say('common.decided_by'), hit.decidedBy ? staff.nameOf(hit.decidedBy) : undefined],
            [say('common.decided_at'), hit.decidedAt ? <When key="decided" at={hit.decidedAt} /> : undefined],
            [say('common.reason'), hit.reason ?? undefined],
          ]}
        />
        <Table aria-label={say('sanctions.words_compared')} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{say('common.client')}</Table.Th>
              <Table.Th>{say('sanctions.list')}</Table.Th>
              <Table.Th ta="right">{say('sanctions.alike')}</Table.Th>
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
          {say('sanctions.list_file', { listHash: hit.listHash })}
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
          title={
            revised ? say('sanctions.revise_decision', { decision: lower(WORDS[asked].title) }) : WORDS[asked].title
          }
          submitLabel={revised ? say('sanctions.revise_title') : WORDS[asked].label}
          missing={revised ? say('sanctions.say_why_decision_changes') : say('sanctions.say_how_you_know')}
          danger={asked === 'confirm'}
          submit={(reason) => decideHit(hit, asked, reason)}
          onDone={() =>
            done(asked === 'clear' ? say('sanctions.match_cleared') : say('sanctions.match_confirmed_no_money'))
          }
          onClose={() => setAsked(null)}
          onReload={reload}
        >
          <Text size="sm">{WORDS[asked].text}</Text>
          {revised && <Text size="sm">{say('sanctions.it_takes_place_decision')}</Text>}
        </ReasonForm>
      )}
    </Drawer>
  )
}
