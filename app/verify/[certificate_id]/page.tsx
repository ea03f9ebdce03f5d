import type { Metadata } from 'next'
import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'
import { Callout } from '@/components/ui/callout'
import { Card, CardBody } from '@/components/ui/card'
import { DescriptionList } from '@/components/ui/description-list'
import { DateTime } from '@/components/ui/relative-time'
import { VerifyPanel } from '@/components/verify/verify-panel'
import { getPublicCertificate } from '@/lib/domain/certificates/certificates'
import { load } from '@/lib/http/load'

export const metadata: Metadata = {
  title: 'Certificate',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
}

export default async function CertificatePage({ params }: { params: Promise<{ certificate_id: string }> }) {
  const certificate = await load(getPublicCertificate, await params)
  return (
    <PublicFrame sender={certificate.agency}>
      <PublicTitle eyebrow="Certificate of approval" title={certificate.batch}>
        {certificate.project}
      </PublicTitle>
      <div className="flex flex-col gap-8">
        {!certificate.is_valid ? (
          <Callout tone="fail" title="This certificate does not hold">
            What is stored is not what was signed, or the key that signed it is not here any more.
          </Callout>
        ) : certificate.is_current ? (
          <Callout tone="pass" title="This certificate is genuine">
            The batch is approved, and every file of it is named in the certificate by its SHA-256.
          </Callout>
        ) : (
          <Callout tone="warn" title="Genuine, and overtaken">
            The batch was taken up again after this certificate was issued. Ask for the newest one.
          </Callout>
        )}
        <Card>
          <CardBody>
            <DescriptionList
              items={[
                { label: 'Approved', value: certificate.approved_at && <DateTime value={certificate.approved_at} /> },
                { label: 'Round', value: certificate.round },
                { label: 'Files', value: certificate.files },
                { label: 'Issued', value: <DateTime value={certificate.issued_at} /> },
                { label: 'Signed by key', value: <code className="font-mono text-xs">{certificate.key_id}</code> },
              ]}
            />
          </CardBody>
        </Card>
        <section className="flex flex-col gap-3">
          <h2 className="text-lg font-semibold text-ink">Is this the approved file?</h2>
          <VerifyPanel />
        </section>
      </div>
    </PublicFrame>
  )
}
