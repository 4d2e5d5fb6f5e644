import { Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { ReasonForm } from '../../../components/forms/reason-form.tsx'
import { ActButton } from '../../../components/page/act-button.tsx'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { useDecided } from '../../../lib/forms/use-decided.ts'
import { WIDE_DRAWER } from '../../../lib/screen/drawer-widths.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { shownName } from '../traders/trader-names.ts'
import { BothSides } from './client-and-entry.tsx'
import { BIRTH, COUNTRY } from './compared-words.ts'
import { decideHit, type Hit, type NamedHit, SOURCE_LABELS } from './sanctions.api.ts'
import { say } from './words.ts'

type Decision = 'clear' | 'confirm'

// A decision can be revised, because later information may show that it was wrong.
const DECISIONS: Record<Hit['status'], readonly Decision[]> = {
  open: ['clear', 'confirm'],
  cleared: ['confirm'],
  confirmed: ['clear'],
}
const WORDS: Record<
  Decision,
  { hotkey: string; choice: string; revision: string; title: string; label: string; text: string }
> = {
  clear: {
    hotkey: 'c',
    choice: say('sanctions.verdict.cleared'),
    revision: say('sanctions.clear.revise'),
    title: say('sanctions.clear.title'),
    label: say('sanctions.clear.submit'),
    text: say('sanctions.clear.about'),
  },
  confirm: {
    hotkey: 'y',
    choice: say('sanctions.verdict.confirmed'),
    revision: say('sanctions.confirm.revise'),
    title: say('sanctions.confirm.title'),
    label: say('sanctions.confirm.submit'),
    text: say('sanctions.confirm.about'),
  },
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Shows one match: why the names look alike, and the decision about it. */
export const HitDrawer = ({ hit, onClose }: { hit: NamedHit; onClose: () => void }) => {
  const [asked, setAsked] = useState<Decision | null>(null)
  const revised = hit.status !== 'open'
  return (
    <RecordDrawer
      opened
      onClose={onClose}
      title={say('sanctions.hit.title', { score: hit.score, name: hit.name })}
      size={WIDE_DRAWER}
    >
      <Stack className="form">
        <BothSides id={hit.id} />
        <HitFacts hit={hit} />
        <ComparedWords words={hit.explanation.words} />
        <Text size="xs" c="dimmed" className="key">
          {say('sanctions.hit.list_file', { listHash: hit.listHash })}
        </Text>
        <Group justify="flex-end" gap="xs" className="form-foot">
          {DECISIONS[hit.status].map((decision) => (
            <ActButton
              key={decision}
              hotkey={WORDS[decision].hotkey}
              {...(decision === 'confirm' ? { color: 'red' } : { variant: 'default' })}
              onClick={() => setAsked(decision)}
            >
              {revised ? WORDS[decision].revision : WORDS[decision].choice}
            </ActButton>
          ))}
        </Group>
      </Stack>
      {asked && <AskDecision hit={hit} decision={asked} onBack={() => setAsked(null)} onDecided={onClose} />}
    </RecordDrawer>
  )
}

/** Shows whom the match is about, how alike the names are, and what was decided so far. */
const HitFacts = ({ hit, hit: { explanation } }: { hit: NamedHit }) => {
  const staff = useStaff()
  return (
    <Facts
      items={[
        [say('common.client'), <TraderLink key="trader" id={hit.traderId} name={hit.traderName} />],
        [say('sanctions.matched'), explanation.listedAs],
        [
          say('sanctions.list'),
          say('sanctions.entry_of_source', { source: SOURCE_LABELS[hit.source], reference: hit.reference }),
        ],
        [say('sanctions.likeness'), say('sanctions.name_score', { score: explanation.nameScore, total: hit.score })],
        [say('field.dateOfBirth'), BIRTH[explanation.birth]],
        [say('field.country'), COUNTRY[explanation.country]],
        [say('sanctions.found'), <When key="found" at={hit.createdAt} />],
        [say('common.decided_by'), hit.decidedBy ? staff.findStaffName(hit.decidedBy, hit.decidedAt) : undefined],
        [say('common.decided_at'), hit.decidedAt ? <When key="decided" at={hit.decidedAt} /> : undefined],
        [say('common.reason'), hit.reason ?? undefined],
        [
          say('sanctions.first_word'),
          hit.firstWord ? staff.findStaffName(hit.firstWord.by, hit.firstWord.at) : undefined,
        ],
      ]}
    />
  )
}

/** Shows each word of the client's name beside the word of the list that it matches. */
const ComparedWords = ({ words }: Pick<Hit['explanation'], 'words'>) => (
  <Table aria-label={say('sanctions.hit.words')} verticalSpacing={4}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{say('common.client')}</Table.Th>
        <Table.Th>{say('sanctions.list')}</Table.Th>
        <Table.Th ta="right">{say('sanctions.hit.alike')}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {words.map(({ ours, theirs, similarity }) => (
        <Table.Tr key={`${ours}-${theirs}`}>
          <Table.Td>{ours}</Table.Td>
          <Table.Td>{theirs}</Table.Td>
          <Table.Td ta="right">{similarity} %</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

type AskDecisionProps = { hit: NamedHit; decision: Decision; onBack: () => void; onDecided: () => void }

/** Asks for the reason of a first decision, or of one that replaces another. */
const AskDecision = ({ hit, decision, onBack, onDecided }: AskDecisionProps) => {
  const { reload, done } = useDecided('sanctions', onDecided)
  const revised = hit.status !== 'open'
  const { title, label, text } = WORDS[decision]
  const said = { client: shownName(hit.traderName), name: hit.name }
  return (
    <ReasonForm
      title={revised ? say('sanctions.revise.title_of', { decision: lower(title) }) : title}
      submitLabel={revised ? say('sanctions.revise.title') : label}
      missing={revised ? say('sanctions.revise.reason_required') : say('sanctions.reason.required')}
      danger={decision === 'confirm'}
      submit={async (reason) => {
        const { status, firstWord } = await decideHit(hit, decision, reason)
        if (firstWord) done(say('sanctions.first_word_given', said))
        else done(status === 'cleared' ? say('sanctions.clear.done', said) : say('sanctions.confirm.done', said))
      }}
      onDone={() => {}}
      onClose={onBack}
      onReload={reload}
    >
      <Text size="sm">{text}</Text>
      {revised && <Text size="sm">{say('sanctions.revise.about')}</Text>}
      {hit.status === 'confirmed' && <Text size="sm">{say('sanctions.takes_two')}</Text>}
    </ReasonForm>
  )
}
