import { Alert, Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../components/error-state.tsx'
import { formatCount } from '../../lib/format.ts'
import { type Verdict, verifyAudit } from './audit.api.ts'

/** Recomputes the chain of the audit log and says whether it is whole. */
export const VerifyChain = ({ onClose }: { onClose: () => void }) => {
  const check = useQuery({
    queryKey: ['audit-verify'],
    queryFn: verifyAudit,
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const Outcome = ({ verdict }: { verdict: Verdict }) => {
  const { entries, intact, firstBroken } = verdict
  return intact ? (
    <Alert color="green" variant="light" icon={<IconCircleCheck size={18} />} title="The audit log is whole">
      {formatCount(entries)} entries hold. None was changed or removed.
    </Alert>
  ) : (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title="The audit log has been changed">
      {formatCount(entries)} entries hold. The first that does not is number {firstBroken?.seq}: {firstBroken?.reason}.
    </Alert>
  )
}
