import { Button, FileButton, Group, Progress, Text } from '@mantine/core'
import { IconTrash, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../components/confirm.tsx'
import { FormNotice } from '../../components/form-modal.tsx'
import { Section } from '../../components/section.tsx'
import { notify } from '../../lib/notify.tsx'
import { useAsked } from '../../lib/use-asked.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { type Tenant, updateFirm, uploadLogo } from './settings.api.ts'

const TYPES = ['image/png', 'image/jpeg', 'image/webp']
const LIMIT = 1024 * 1024

const refusal = (file: File): string | null => {
  if (!TYPES.includes(file.type)) return 'Choose a PNG, JPEG or WebP picture.'
  return file.size > LIMIT ? 'The picture is larger than 1 MiB.' : null
}

/** Checks a chosen picture and uploads it, saying how far it is. */
const useLogoUpload = () => {
  const refresh = useRefresh()
  const [percent, setPercent] = useState(0)
  const [refused, setRefused] = useState<string | null>(null)
  const upload = useMutation({
    mutationFn: (file: File) => uploadLogo(file, setPercent),
    onSuccess: async () => {
      notify('Logo saved.')
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

/** The firm's logo: shown, replaced, removed. */
export const LogoSection = ({ tenant }: { tenant: Tenant }) => {
  const refresh = useRefresh()
  const { choose, upload, percent, refused } = useLogoUpload()
  const { asked, record, ask, close } = useAsked<'remove', Tenant>(tenant)
  const { logoUrl } = tenant.branding
  const remove = async (): Promise<void> => {
    await updateFirm({ branding: { ...record.branding, logoUrl: null } }, record.version)
    notify('Logo removed.')
    await refresh('firm')
  }
  return (
    <Section title="Logo" description="PNG, JPEG or WebP, up to 1 MiB; a square one fits best.">
      <Group gap="md">
        <Logo url={logoUrl} />
        <Group gap="xs">
          <FileButton onChange={choose} accept={TYPES.join(',')} inputProps={{ 'aria-label': 'Logo' }}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={16} />} loading={upload.isPending}>
                {logoUrl ? 'Replace' : 'Upload'}
              </Button>
            )}
          </FileButton>
          {logoUrl && (
            <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => ask('remove')}>
              Remove
            </Button>
          )}
        </Group>
      </Group>
      {upload.isPending && <Progress value={percent} mt="md" aria-label="Upload" />}
      {refused && (
        <Text size="sm" className="error-text" role="alert" mt="sm">
          {refused}
        </Text>
      )}
      {upload.isError && <FormNotice error={upload.error} conflict={null} />}
      <Confirm
        title="Remove the logo"
        confirmLabel="Remove logo"
        opened={asked !== null}
        onClose={close}
        onReload={() => void refresh('firm')}
        action={remove}
      >
        The firm’s initials are shown instead.
      </Confirm>
    </Section>
  )
}

const Logo = ({ url }: { url: Tenant['branding']['logoUrl'] }) =>
  url ? (
    <img src={url} alt="Your logo" className="logo" />
  ) : (
    <div className="logo logo-none">
      <Text size="xs" c="dimmed">
        None
      </Text>
    </div>
  )
