import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconDownload, IconRotateClockwise, IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { ScrollRegion } from '../../../components/show/scroll-region.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { fetchFile, type KycDocument } from './kyc.api.ts'
import { say } from './words.ts'

const STEPS = [0.5, 0.75, 1, 1.5, 2, 3, 4] as const
/** At this step a picture is as wide as its frame. */
const PLAIN = 2
const SHOWN = ['image/jpeg', 'image/png', 'image/webp', 'image/heic']

/** Shows one document. Its file is read once while it is open, because each read is a view in the audit log. */
export const DocumentViewer = ({ document, name }: { document: KycDocument; name: string }) => {
  const can = useCan()
  const file = useQuery({
    queryKey: ['kyc-file', document.id],
    queryFn: () => fetchFile(document.id),
    enabled: can('operator'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  })
  if (!can('operator')) {
    return <EmptyState title={say('kyc.viewer.forbidden.title')}>{say('kyc.viewer.forbidden.about')}</EmptyState>
  }
  return (
    <Loaded query={file}>{(blob) => <Paper key={document.id} document={document} name={name} blob={blob} />}</Loaded>
  )
}

const useBlobUrl = (blob: Blob): string | null => {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}

const Paper = ({ document, name, blob }: { document: KycDocument; name: string; blob: Blob }) => {
  const url = useBlobUrl(blob)
  if (!url) return null
  const download = (
    <Button
      component="a"
      href={url}
      download={name}
      variant="default"
      size="xs"
      leftSection={<IconDownload size={14} />}
    >
      {say('kyc.viewer.download')}
    </Button>
  )
  if (document.contentType === 'application/pdf') return <Pdf url={url} name={name} download={download} />
  if (!SHOWN.includes(document.contentType)) {
    return <EmptyState title={say('kyc.viewer.no_preview')} action={download} />
  }
  return <Picture url={url} name={name} download={download} />
}

type ShownProps = { url: string; name: string; download: ReactNode }

/** Keeps the zoom of a picture and the number of its quarter turns. */
const useView = () => {
  const [step, setStep] = useState(PLAIN)
  const [turns, setTurns] = useState(0)
  return {
    zoom: STEPS[step] ?? 1,
    turns,
    isSmallest: step === 0,
    isLargest: step === STEPS.length - 1,
    smaller: () => setStep(step - 1),
    larger: () => setStep(step + 1),
    turn: () => setTurns(turns + 1),
    reset: () => {
      setStep(PLAIN)
      setTurns(0)
    },
  }
}
type View = ReturnType<typeof useView>

const Picture = ({ url, name, download }: ShownProps) => {
  const view = useView()
  const [broken, setBroken] = useState(false)
  // The width of the picture divided by its height, before any turn. After a quarter turn the sheet swaps the two, so
  // that the whole picture can be scrolled to.
  const [ratio, setRatio] = useState(1)
  const { zoom, turns } = view
  const lying = turns % 2 === 1
  if (broken) {
    return (
      <EmptyState title={say('kyc.viewer.picture.title')} action={download}>
        {say('kyc.viewer.picture.about')}
      </EmptyState>
    )
  }
  return (
    <>
      <PictureTools view={view} download={download} />
      <ScrollRegion className="viewer-stage" label={name}>
        <div className="viewer-sheet" style={{ width: `${zoom * 100}%`, aspectRatio: lying ? 1 / ratio : ratio }}>
          <img
            src={url}
            alt={name}
            style={{
              width: `${lying ? ratio * 100 : 100}%`,
              maxWidth: 'none',
              transform: `translate(-50%, -50%) rotate(${(turns % 4) * 90}deg)`,
            }}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setRatio(naturalWidth / naturalHeight || 1)}
            onError={() => setBroken(true)}
          />
        </div>
      </ScrollRegion>
    </>
  )
}

const PictureTools = ({ view, download }: { view: View; download: ReactNode }) => (
  <Group gap={4} className="viewer-tools" role="toolbar" aria-label={say('kyc.viewer.label')}>
    <ActionIcon aria-label={say('kyc.viewer.smaller')} disabled={view.isSmallest} onClick={view.smaller}>
      <IconZoomOut size={18} />
    </ActionIcon>
    <Text size="xs" w={44} ta="center" aria-live="polite">
      {view.zoom * 100} %
    </Text>
    <ActionIcon aria-label={say('kyc.viewer.larger')} disabled={view.isLargest} onClick={view.larger}>
      <IconZoomIn size={18} />
    </ActionIcon>
    <ActionIcon aria-label={say('kyc.viewer.turn')} onClick={view.turn}>
      <IconRotateClockwise size={18} />
    </ActionIcon>
    <ActionIcon aria-label={say('kyc.viewer.reset')} onClick={view.reset}>
      <IconZoomReset size={18} />
    </ActionIcon>
    <div style={{ marginLeft: 'auto' }}>{download}</div>
  </Group>
)

const Pdf = ({ url, name, download }: ShownProps) => {
  const [refused, setRefused] = useState(false)
  useEffect(() => {
    // If the server's policy or the browser blocks PDFs in frames, only the download is offered.
    const note = (event: SecurityPolicyViolationEvent): void => {
      if (event.effectiveDirective.startsWith('frame-src')) setRefused(true)
    }
    window.addEventListener('securitypolicyviolation', note)
    return () => window.removeEventListener('securitypolicyviolation', note)
  }, [])
  if (refused || !navigator.pdfViewerEnabled) {
    return (
      <EmptyState title={say('kyc.viewer.pdf.title')} action={download}>
        {say('kyc.viewer.pdf.about')}
      </EmptyState>
    )
  }
  return (
    <>
      <Group gap={4} className="viewer-tools" justify="flex-end">
        {download}
      </Group>
      <iframe className="viewer-pdf" src={`${url}#navpanes=0`} title={name} />
    </>
  )
}
