import { Alert, Button, Group, Modal, Progress, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { formatCount } from '../../lib/format.ts'
import { type Verdict, verifyAudit } from './audit.api.ts'

/** Recomputes the chain of the audit log and says whether it is whole. */
export const VerifyChain = ({ onClose }: { onClose: () => void }) => {
  const [anchor, setAnchor] = useState('')
  const [asked, setAsked] = useState('')
  const check = useQuery({
    queryKey: ['audit-verify', asked],
    queryFn: () => verifyAudit(asked),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  return (
    <Modal opened onClose={onClose} title="Check the audit log">
      <Stack>
        {check.isPending && (
          <>
            <Text size="sm">Each entry is sealed with the one before it. Checking them all, from the first.</Text>
            <Progress value={100} animated aria-label="Checking" />
          </>
        )}
        {check.isError && <ErrorState error={check.error} retry={() => void check.refetch()} />}
        {check.isSuccess && <Outcome verdict={check.data} />}
        <TextInput
          label="A line from an earlier mail"
          description="Asks whether the log still contains it"
          placeholder="1841:0Yw3Jx6c…"
          value={anchor}
          onChange={(event) => setAnchor(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={anchor.trim() === ''} onClick={() => setAsked(anchor.trim())}>
            Check this line
          </Button>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const Outcome = ({ verdict }: { verdict: Verdict }) => {
  const { entries, intact, firstBroken, head, anchored } = verdict
  if (intact && anchored === false)
    return (
      <Alert
        color="red"
        variant="light"
        icon={<IconAlertTriangle size={18} />}
        title="The log does not contain that line"
      >
        It is whole in itself, but it is not the log that this line was taken from: its end was cut off and written
        anew.
      </Alert>
    )
  return intact ? (
    <Alert color="green" variant="light" icon={<IconCircleCheck size={18} />} title="The audit log is whole">
      {formatCount(entries)} entries hold. None was changed or removed.
      {anchored && ' The line that you gave is in it.'}
      {head !== null && (
        <Text size="xs" mt="xs" className="key">
          Last entry: <code className="code">{head}</code>
        </Text>
      )}
    </Alert>
  ) : (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title="The audit log has been changed">
      {formatCount(entries)} entries hold. The first that does not is number {firstBroken?.seq}: {firstBroken?.reason}.
    </Alert>
  )
}
