import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { BulkResults } from '../../../components/lists/bulk-results.tsx'
import { BulkReview, type ReviewedRow, ReviewedRows } from '../../../components/lists/bulk-review.tsx'
import type { Settle } from '../../../components/lists/list-acts.tsx'
import { sendEach } from '../../../components/lists/send-in-groups.ts'
import { useBulk } from '../../../components/lists/use-bulk.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { fetchSettleFacts, type NamedDeposit, settleDeposit } from './deposits.api.ts'
import { planSettlement, type SettlePlan } from './settle-plan.ts'
import { say } from './words.ts'

const PLAIN = { size: 'lg', closeButtonProps: { 'aria-label': say('common.close') } } as const

type BulkSettleProps = { rows: readonly NamedDeposit[]; onResults: Settle; onClose: () => void }

/**
 * Settles several deposits in full, each only if nobody changed it since it was shown, after showing what will be
 * settled and what is left out. The rules apply to each deposit, so each has its result.
 */
export const BulkSettle = ({ rows, onResults, onClose }: BulkSettleProps) => {
  const { id: userId } = useMe()
  const { findStaffName } = useStaff()
  const facts = useQuery({
    queryKey: ['deposits', 'settle-facts', rows.map(({ id }) => id)],
    queryFn: () => fetchSettleFacts(rows),
    // What was read for an earlier dialog may be out of date.
    gcTime: 0,
  })
  if (!facts.data) {
    return (
      <Modal opened onClose={onClose} title={say('deposits.bulk.title', { count: rows.length })} {...PLAIN}>
        <Loaded query={facts}>{() => null}</Loaded>
      </Modal>
    )
  }
  const plan = planSettlement(rows, { ...facts.data, userId, findStaffName })
  return <SettleForm {...{ plan, onResults, onClose }} />
}

type SettleFormProps = Omit<BulkSettleProps, 'rows'> & { plan: SettlePlan }

const SettleForm = ({ plan, onResults, onClose }: SettleFormProps) => {
  const { settled, shown, left } = plan
  const { state, results, progress } = useBulk({
    initialValues: {},
    send: (_values, watch) =>
      sendEach(
        settled,
        async (row) => {
          const { id, status } = await settleDeposit(row)
          return { id, ok: true, ...(status === 'pending' && { message: say('deposits.bulk.counted') }) }
        },
        watch,
      ),
    resource: 'deposits',
    onResults,
  })
  if (results) {
    const names = new Map(
      settled.map((row) => [row.id, `${groupDigits(row.amount)} ${row.currency} · ${shownName(row.traderName)}`]),
    )
    return (
      <BulkResults
        title={say('deposits.bulk.results')}
        done={say('common.done')}
        results={results}
        getName={(id) => names.get(id) ?? id}
        onClose={onClose}
      />
    )
  }
  if (settled.length === 0) {
    return (
      <Modal opened onClose={onClose} title={say('deposits.bulk.title_none')} {...PLAIN}>
        <Stack>
          <LeftOut rows={left} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{say('common.close')}</Button>
          </Group>
        </Stack>
      </Modal>
    )
  }
  return (
    <FormModal
      state={state}
      title={say('deposits.bulk.title', { count: settled.length })}
      submitLabel={say('deposits.bulk.submit', { count: settled.length })}
      size="lg"
      opened
      onClose={onClose}
    >
      <BulkReview label={say('deposits.bulk.list_label')} rows={shown} />
      <LeftOut rows={left} />
      <Text size="xs" c="dimmed">
        {say('deposits.bulk.about')}
      </Text>
      {progress}
    </FormModal>
  )
}

/** Shows which of the chosen deposits are not settled, and why. */
const LeftOut = ({ rows }: { rows: readonly ReviewedRow[] }) => {
  const label = say('deposits.bulk.left_label', { count: rows.length })
  return (
    rows.length > 0 && (
      <div>
        <Text size="sm" fw={600} mb={4}>
          {label}
        </Text>
        <ReviewedRows label={label} rows={rows} />
      </div>
    )
  )
}
