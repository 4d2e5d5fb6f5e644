import { Button, FileButton, Group, Progress, Text } from '@mantine/core'
import { IconTrash, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { FormNotice } from '../../../components/forms/form-modal.tsx'
import { Section } from '../../../components/page/section.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { type Tenant, updateFirm, uploadLogo } from './settings.api.ts'
import { say } from './words.ts'

const TYPES = ['image/png', 'image/jpeg', 'image/webp']
const LIMIT = 1024 * 1024

const refusal = (file: File): string | null => {
  if (!TYPES.includes(file.type)) return say('settings.logo.wrong_type')
  return file.size > LIMIT ? say('settings.logo.too_large') : null
}

/** Checks a chosen picture, uploads it and returns the progress. */
const useLogoUpload = () => {
  const refresh = useRefresh()
  const [percent, setPercent] = useState(0)
  const [refused, setRefused] = useState<string | null>(null)
  const upload = useMutation({
    mutationFn: (file: File) => uploadLogo(file, setPercent),
    onSuccess: async () => {
      notify(say('settings.logo.done'))
      await refresh('firm')
    },
  })
  const choose = (file: File | null): void => {
    if (!file) return
    const problem = refusal(file)
    setRefused(problem)
    if (!problem) upload.mutate(file)
  }
  return { choose, upload, percent, refused }
}

/** Shows the firm's logo, replaces it and removes it. */
export const LogoSection = ({ tenant }: { tenant: Tenant }) => {
  const refresh = useRefresh()
  const { choose, upload, percent, refused } = useLogoUpload()
  const { asked, record, ask, close } = useAsked<'remove', Tenant>(tenant)
  const { logoUrl } = tenant.branding
  const remove = async (): Promise<void> => {
    await updateFirm({ branding: { ...record.branding, logoUrl: null } }, record.version)
    notify(say('settings.logo.remove.done'))
    await refresh('firm')
  }
  return (
    <Section title={say('settings.logo.title')} description={say('settings.logo.about')}>
      <Group gap="md">
        <Logo url={logoUrl} />
        <Group gap="xs">
          <FileButton
            onChange={choose}
            accept={TYPES.join(',')}
            inputProps={{ 'aria-label': say('settings.logo.title') }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={16} />} loading={upload.isPending}>
                {logoUrl ? say('settings.logo.replace') : say('settings.logo.upload')}
              </Button>
            )}
          </FileButton>
          {logoUrl && (
            <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => ask('remove')}>
              {say('common.remove')}
            </Button>
          )}
        </Group>
      </Group>
      {upload.isPending && <Progress value={percent} mt="md" aria-label={say('settings.logo.upload')} />}
      {refused && (
        <Text size="sm" className="error-text" role="alert" mt="sm">
          {refused}
        </Text>
      )}
      {upload.isError && <FormNotice error={upload.error} conflict={null} />}
      <Confirm
        title={say('settings.logo.remove.title')}
        confirmLabel={say('settings.logo.remove.submit')}
        opened={asked !== null}
        onClose={close}
        onReload={() => void refresh('firm')}
        action={remove}
      >
        {say('settings.logo.remove.about')}
      </Confirm>
    </Section>
  )
}

const Logo = ({ url }: { url: Tenant['branding']['logoUrl'] }) =>
  url ? (
    <img src={url} alt={say('settings.logo.alt')} className="logo" />
  ) : (
    <div className="logo logo-none">
      <Text size="xs" c="dimmed">
        {say('settings.logo.none')}
      </Text>
    </div>
  )
