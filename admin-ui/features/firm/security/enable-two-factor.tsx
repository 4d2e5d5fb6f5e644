import { Button, Code, Group, Modal, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { toString as toQr } from 'qrcode'
import { useState } from 'react'
import { CopyText, useKeepFirst } from '../../../components/forms/copy-once.tsx'
import { FormBody } from '../../../components/forms/form-modal.tsx'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { meQuery } from '../../../lib/api/session.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { enableTwoFactor, startTwoFactor } from '../auth/auth.api.ts'
import { required } from '../auth/form-rules.ts'
import { say } from './words.ts'

/** Turns the second factor on in three steps: scan, confirm with a code, keep the recovery codes. */
export const EnableTwoFactor = ({ onClose }: { onClose: () => void }) => {
  const client = useQueryClient()
  const [codes, setCodes] = useState<string[] | null>(null)
  // The answer has the recovery codes, which are shown only once, so the dialog stays open until it arrives.
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
      closeButtonProps={{ 'aria-label': say('common.close'), disabled: sending }}
      title={codes ? say('security.two_factor.codes_title') : say('security.two_factor.on.title')}
      // The dialog with the codes closes only when the reader confirms that they are kept.
      withCloseButton={!codes}
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
    >
      {codes ? <RecoveryCodes codes={codes} onDone={finish} /> : <Enrol onCodes={setCodes} onCancel={onClose} />}
    </Modal>
  )
}

type EnrolProps = { onCodes: (codes: string[]) => void; onCancel?: () => void }

/** Shows the secret to scan, asks for a code, and calls `onCodes` with the recovery codes. */
export const Enrol = ({ onCodes, onCancel }: EnrolProps) => {
  const enrolment = useQuery({
    queryKey: ['two-factor-enrolment'],
    queryFn: async () => {
      const { secret, uri } = await startTwoFactor()
      return { secret, svg: await toQr(uri, { type: 'svg', margin: 2 }) }
    },
    // Each request makes another secret, so it is sent once, even when a lost answer refreshes everything else.
    staleTime: 'static',
    gcTime: 0,
  })
  const state = useApiForm({
    initialValues: { code: '', password: '' },
    validate: {
      code: required(say('security.two_factor.on.code_required')),
      password: required(say('security.password.required')),
    },
    submit: ({ code, password }) => enableTwoFactor({ code: code.replaceAll(' ', ''), password }),
    onDone: ({ recoveryCodes }) => onCodes(recoveryCodes),
    isPublic: true,
  })
  if (enrolment.isError) return <ErrorState error={enrolment.error} retry={() => void enrolment.refetch()} />
  return (
    <FormBody state={state} submitLabel={say('security.two_factor.on.submit')} {...(onCancel && { onCancel })}>
      <Text size="sm">{say('security.two_factor.on.about')}</Text>
      <Group align="center" gap="md" wrap="nowrap" className="enrol">
        {enrolment.isPending ? (
          <Skeleton height={168} width={168} />
        ) : (
          <img
            className="qr"
            src={`data:image/svg+xml,${encodeURIComponent(enrolment.data.svg)}`}
            alt={say('security.two_factor.on.qr_alt')}
          />
        )}
        <Stack gap={4} miw={0}>
          <Text size="xs" c="dimmed">
            {say('security.two_factor.on.key')}
          </Text>
          <Code className="key">{enrolment.data?.secret.replace(/(.{4})/g, '$1 ').trim() ?? '…'}</Code>
        </Stack>
      </Group>
      <TextInput
        label={say('common.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={9}
        data-autofocus
        {...state.form.getInputProps('code')}
      />
      <PasswordInput
        label={say('security.password.label')}
        autoComplete="current-password"
        {...state.form.getInputProps('password')}
      />
    </FormBody>
  )
}

/** Shows the recovery codes, which are never shown again. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => {
  const warning = useKeepFirst()
  return (
    <Stack>
      <Text size="sm">{say('security.two_factor.codes_about')}</Text>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {warning}
      <Group justify="flex-end" gap="xs">
        <CopyText text={codes.join('\n')} label={say('security.two_factor.codes_copy')} first />
        <Button onClick={onDone}>{say('security.two_factor.codes_kept')}</Button>
      </Group>
    </Stack>
  )
}
