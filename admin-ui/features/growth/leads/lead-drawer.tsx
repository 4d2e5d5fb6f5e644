import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconArrowRight, IconPencil, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { FormNotice } from '../../../components/forms/form-modal.tsx'
import { ActButton } from '../../../components/page/act-button.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { isConflict } from '../../../lib/api/http.ts'
import { useCan } from '../../../lib/api/session.ts'
import { useRecord, useRefresh } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { countryName } from '../../../lib/text/countries.ts'
import { languageName } from '../../../lib/text/languages.ts'
import { phoneText } from '../../../lib/text/phone-text.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { AskConvert, AskRemove } from './confirm-lead.tsx'
import { changeLead, LeadForm, type LeadValue } from './lead-form.tsx'
import { LEAD_STATES, LeadStatusBadge, mayConvert, NEXT } from './lead-words.tsx'
import { fetchLead, type Lead, leadName } from './leads.api.ts'
import { useMoveLead } from './use-move-lead.ts'
import { say } from './words.ts'

type LeadDrawerProps = {
  id: string
  /** The drawer opens with this question. */
  ask?: 'convert'
  onClose: () => void
}

/** Shows one lead and offers the acts on it. */
export const LeadDrawer = ({ id, ask, onClose }: LeadDrawerProps) => {
  const lead = useRecord('leads', id, fetchLead)
  return (
    <RecordDrawer opened onClose={onClose} title={lead.data ? leadName(lead.data) : say('leads.lead')}>
      <Loaded query={lead}>
        {(data) => <LeadRecord key={data.id} lead={data} {...(ask && { first: ask })} onClose={onClose} />}
      </Loaded>
    </RecordDrawer>
  )
}

type LeadAct = 'edit' | 'convert' | 'remove'
type LeadRecordProps = { lead: Lead; first?: 'convert'; onClose: () => void }

const LeadRecord = ({ lead, first, onClose }: LeadRecordProps) => {
  const seesAll = useCan()('operator')
  const { asked, record, ask, close } = useAsked<LeadAct, Lead>(lead, first)
  // the form of an ad may ask for more than the contact: these are its questions with their answers
  const answers = Object.entries(lead.metadata).flatMap(([question, answer]) =>
    typeof answer === 'string' && lead.leadGenId !== null ? [[question, answer] as const] : [],
  )
  return (
    <Stack className="form">
      <Group justify="space-between">
        <LeadStatusBadge status={lead.status} />
        {lead.traderId && (
          <Anchor component={Link} to={`/traders/${lead.traderId}`} size="sm">
            {say('leads.client.link')}
          </Anchor>
        )}
      </Group>
      <MoveLead lead={lead} />
      {!seesAll && (
        <Text size="sm" c="dimmed">
          {say('fields.identity.hidden')}
        </Text>
      )}
      <LeadFacts lead={lead} />
      {answers.length > 0 && (
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            {say('leads.answers')}
          </Text>
          <Facts items={answers} />
        </Stack>
      )}
      <LeadActs lead={lead} onAsk={ask} />
      {asked === 'edit' && <LeadForm lead={record} onClose={close} />}
      <AskConvert lead={record} opened={asked === 'convert'} onClose={close} />
      <AskRemove lead={record} opened={asked === 'remove'} onClose={close} onRemoved={onClose} />
    </Stack>
  )
}

/** Shows the values of a lead, each with a pencil until the lead is converted. */
const LeadFacts = ({ lead }: { lead: Lead }) => {
  const staff = useStaff()
  const mayChange = useCan()('operator') && lead.status !== 'converted'
  const edit = (name: LeadValue) => ({ edit: mayChange ? changeLead(lead, name) : undefined })
  return (
    <Facts
      items={[
        [say('field.email'), lead.email, edit('email')],
        [say('field.phone'), lead.phone && phoneText(lead.phone), edit('phone')],
        [say('field.country'), lead.country && countryName(lead.country), edit('country')],
        [say('field.language'), lead.language && languageName(lead.language), edit('language')],
        [say('field.source'), lead.source],
        [say('leads.campaign'), lead.campaign],
        [say('field.assignedTo'), staff.findStaffName(lead.assignedTo), edit('assignedTo')],
        [say('leads.added'), <When key="since" at={lead.createdAt} />],
        [say('leads.converted'), lead.convertedAt ? <When key="converted" at={lead.convertedAt} /> : undefined],
        [
          say('common.note'),
          lead.note && (
            <span key="note" className="note">
              {lead.note}
            </span>
          ),
          edit('note'),
        ],
      ]}
    />
  )
}

/** Moves a lead to a status that can come next; the field is hidden where there is none. */
const MoveLead = ({ lead }: { lead: Lead }) => {
  const can = useCan()
  const refresh = useRefresh()
  const reload = (): void => void refresh('leads')
  const move = useMoveLead()
  const next = NEXT[lead.status]
  const conflict = isConflict(move.error) ? move.error : null
  return (
    <>
      {can('operator') && next.length > 0 && (
        <Select
          label={say('leads.move.label')}
          placeholder={say('leads.move.placeholder')}
          data={next.map((value) => ({ value, label: LEAD_STATES[value].label }))}
          value={null}
          disabled={move.isPending}
          onChange={(value) => {
            const status = next.find((one) => one === value)
            if (status) move.mutate({ lead, to: status })
          }}
        />
      )}
      <FormNotice error={conflict ? null : move.error} conflict={conflict} onReload={reload} />
    </>
  )
}

/** Shows the buttons of a lead that the reader's role may use. */
const LeadActs = ({ lead, onAsk }: { lead: Lead; onAsk: (act: LeadAct) => void }) => {
  const can = useCan()
  if (!can('operator')) return null
  return (
    <Group justify="flex-end" gap="xs" className="form-foot">
      {can('manager') && (
        <Button variant="subtle" color="red" leftSection={<IconTrash size={16} />} onClick={() => onAsk('remove')}>
          {say('common.remove')}
        </Button>
      )}
      {can('operator') && lead.status !== 'converted' && (
        <ActButton hotkey="e" variant="default" leftSection={<IconPencil size={16} />} onClick={() => onAsk('edit')}>
          {say('leads.edit.all')}
        </ActButton>
      )}
      {can('operator') && mayConvert(lead) && (
        <ActButton hotkey="c" leftSection={<IconArrowRight size={16} />} onClick={() => onAsk('convert')}>
          {say('leads.convert.submit')}
        </ActButton>
      )}
    </Group>
  )
}
