import { Text, Textarea } from '@mantine/core'
import { BulkForm, useBulkAct } from '../../../components/lists/bulk-form.tsx'
import type { Asked } from '../../../components/lists/list-acts.tsx'
import { sendInGroups } from '../../../components/lists/send-in-groups.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { nameFinding } from './finding-words.tsx'
import { closeFindings, type Finding } from './records.api.ts'
import { say } from './words.ts'

/** One call takes at most this many findings. */
export const MOST_CLOSED = 500

type CloseFindingsProps = { asked: Asked<Finding>; onClose: () => void }

/** Closes findings with one reason for all; each has its own result. */
export const CloseFindings = ({ asked: { rows, settle }, onClose }: CloseFindingsProps) => {
  const names = new Map(rows.map((row) => [row.id, nameFinding(row)]))
  const bulk = useBulkAct({
    initialValues: { reason: '' },
    validate: { reason: required(say('terminals.finding.reason_missing')) },
    send: ({ reason }, watch) =>
      sendInGroups(
        [...names.keys()],
        MOST_CLOSED,
        async (ids) => (await closeFindings(ids, reason.trim())).results.map(toResult),
        watch,
      ),
    resource: 'platform-findings',
    settle,
    done: (count) => say('terminals.finding.closed_done', { count }),
    onClose,
  })
  const count = rows.length
  return (
    <BulkForm
      bulk={bulk}
      title={say('terminals.finding.close_title', { count })}
      submitLabel={say('terminals.finding.close')}
      done={say('terminals.finding.closed_result')}
      getName={(id) => names.get(id) ?? id}
      onClose={onClose}
    >
      <Text size="sm">{say('terminals.finding.close_about', { count })}</Text>
      <Textarea
        label={say('common.reason')}
        description={say('terminals.finding.reason_hint')}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={500}
        data-autofocus
        {...bulk.state.form.getInputProps('reason')}
      />
    </BulkForm>
  )
}

type Result = Awaited<ReturnType<typeof closeFindings>>['results'][number]
const toResult = ({ id, ok, message }: Result) => ({ id, ok, ...(message !== undefined && { message }) })
