import { Alert, Button, Group, Modal, Progress, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { formatCount } from '../../../lib/text/format.ts'
import { type Verdict, verifyAudit } from './audit.api.ts'
import { say, tell } from './words.ts'

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
    <Modal opened onClose={onClose} title={say('audit.verify.title')}>
      <Stack>
        {check.isPending && (
          <>
            <Text size="sm">{say('audit.verify.about')}</Text>
            <Progress value={100} animated aria-label={say('audit.checking')} />
          </>
        )}
        {check.isError && <ErrorState error={check.error} retry={() => void check.refetch()} />}
        {check.isSuccess && <Outcome verdict={check.data} />}
        <TextInput
          label={say('audit.anchor.label')}
          description={say('audit.anchor.hint')}
          placeholder={say('audit.anchor.placeholder')}
          value={anchor}
          onChange={(event) => setAnchor(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={anchor.trim() === ''} onClick={() => setAsked(anchor.trim())}>
            {say('audit.anchor.submit')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {say('common.close')}
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
        title={say('audit.verify.foreign.title')}
      >
        {say('audit.verify.foreign.about')}
      </Alert>
    )
  return intact ? (
    <Alert color="green" variant="light" icon={<IconCircleCheck size={18} />} title={say('audit.verify.whole.title')}>
      {anchored
        ? say('audit.verify.whole.with_line', { entries: formatCount(entries) })
        : say('audit.verify.whole.about', { entries: formatCount(entries) })}
      {head !== null && (
        <Text size="xs" mt="xs" className="key">
          {tell('audit.verify.whole.head', { head: <code className="code">{head}</code> })}
        </Text>
      )}
    </Alert>
  ) : (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={say('audit.verify.broken.title')}>
      {say('audit.verify.broken.about', {
        entries: formatCount(entries),
        seq: firstBroken?.seq ?? '',
        reason: firstBroken?.reason ?? '',
      })}
    </Alert>
  )
}
