import { Button, Code, Group, Modal, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { toString as toQr } from 'qrcode'
import { useState } from 'react'
import { CopyText, useKeepFirst } from '../../components/copy-once.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { FormBody } from '../../components/form-modal.tsx'
import { meQuery } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { enableTwoFactor, startTwoFactor } from '../auth/auth.api.ts'
import { required } from '../auth/rules.ts'

/** Scan, confirm with a code, keep the recovery codes. */
export const EnableTwoFactor = ({ onClose }: { onClose: () => void }) => {
  const client = useQueryClient()
  const [codes, setCodes] = useState<string[] | null>(null)
  // The answer brings the recovery codes, which are shown once: nothing closes this before it came.
  const sending = useIsMutating() > 0
  const leave = (): void => {
    if (client.isMutating() === 0) onClose()
  }
  const finish = (): void => {
    void client.invalidateQueries({ queryKey: meQuery.queryKey })
    onClose()
  }
  return (
    <Modal
      opened
      onClose={codes ? finish : leave}
      closeButtonProps={{ 'aria-label': 'Close', disabled: sending }}
      title={codes ? 'Keep your recovery codes' : 'Turn on two-step sign-in'}
      // Only the reader's word that the codes were kept closes them.
      withCloseButton={!codes}
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
    >
      {codes ? <RecoveryCodes codes={codes} onDone={finish} /> : <Enrol onCodes={setCodes} onCancel={onClose} />}
    </Modal>
  )
}

type EnrolProps = { onCodes: (codes: string[]) => void; onCancel?: () => void }

/** Scan and confirm; hands on the recovery codes. */
export const Enrol = ({ onCodes, onCancel }: EnrolProps) => {
  const enrolment = useQuery({
    queryKey: ['two-factor-enrolment'],
    queryFn: async () => {
      const { secret, uri } = await startTwoFactor()
      return { secret, svg: await toQr(uri, { type: 'svg', margin: 2 }) }
    },
    // Each asking makes another secret: not even a lost answer, after which all else is read, asks again.
    staleTime: 'static',
    gcTime: 0,
  })
  const state = useApiForm({
    initialValues: { code: '', password: '' },
    validate: { code: required('Enter the code that the app shows'), password: required('Enter your password') },
    submit: ({ code, password }) => enableTwoFactor({ code: code.replaceAll(' ', ''), password }),
    onDone: ({ recoveryCodes }) => onCodes(recoveryCodes),
    isPublic: true,
  })
  if (enrolment.isError) return <ErrorState error={enrolment.error} retry={() => void enrolment.refetch()} />
  return (
    <FormBody state={state} submitLabel="Turn on" {...(onCancel && { onCancel })}>
      <Text size="sm">Scan this with an authenticator app, then type the code that the app shows.</Text>
      <Group align="center" gap="md" wrap="nowrap" className="enrol">
        {enrolment.isPending ? (
          <Skeleton height={168} width={168} />
        ) : (
          <img
            className="qr"
            src={`data:image/svg+xml,${encodeURIComponent(enrolment.data.svg)}`}
            alt="QR code for the authenticator app"
          />
        )}
        <Stack gap={4} miw={0}>
          <Text size="xs" c="dimmed">
            No camera? Type this key instead.
          </Text>
          <Code className="key">{enrolment.data?.secret.replace(/(.{4})/g, '$1 ').trim() ?? '…'}</Code>
        </Stack>
      </Group>
      <TextInput
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={9}
        data-autofocus
        {...state.form.getInputProps('code')}
      />
      <PasswordInput label="Your password" autoComplete="current-password" {...state.form.getInputProps('password')} />
    </FormBody>
  )
}

/** The codes, shown this once. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => {
  const warning = useKeepFirst()
  return (
    <Stack>
      <Text size="sm">
        Each code signs you in once if you lose the app. Keep them where you keep passwords: they are not shown again.
      </Text>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {warning}
      <Group justify="flex-end" gap="xs">
        <CopyText text={codes.join('\n')} label="Copy all" first />
        <Button onClick={onDone}>I have kept them</Button>
      </Group>
    </Stack>
  )
}
