import { NameTester } from '@/components/naming/name-tester'
import { CopyTextButton } from '@/components/ui/copy-text-button'
import type { PublicUploadLink } from '@/lib/domain/upload-links/schema'

/** How files must be named: the rule, an example, its parts, and a place to try. */
export function NamingRule({ link }: { link: PublicUploadLink }) {
  const { naming } = link
  const context = {
    agencyCode: naming.agency_code,
    campaignCodes: naming.campaign_codes,
    extensions: naming.extensions,
  }
  return (
    <section aria-labelledby="naming" className="flex flex-col gap-5 print:hidden">
      <div>
        <h2 id="naming" className="text-xl font-semibold">
          How files are named
        </h2>
        {naming.template ? (
          <p className="mt-1 text-base text-ink-muted">
            Each file is checked against this pattern as soon as you add it, before anything is sent.
          </p>
        ) : (
          <p className="mt-1 text-base text-ink-muted">
            Any name will do that works on every computer: no slashes, and an ending that fits the content.
          </p>
        )}
      </div>
      {naming.example && (
        <div className="rounded-lg bg-sunken px-4 py-3">
          <p className="text-xs font-medium text-ink-subtle">For example</p>
          <p className="flex items-center gap-2">
            <code className="min-w-0 font-mono text-base wrap-anywhere">{naming.example}</code>
            <CopyTextButton text={naming.example} name="Copy the example" variant="ghost" />
          </p>
        </div>
      )}
      {naming.tokens.length > 0 && (
        <dl className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[10rem_1fr]">
          {naming.tokens.map((token) => (
            <div key={token.token} className="contents">
              <dt className="font-medium max-sm:mt-2">
                {token.label}
                {token.optional && <span className="font-normal text-ink-subtle"> (optional)</span>}
              </dt>
              <dd className="text-ink-muted">{token.expected}</dd>
            </div>
          ))}
        </dl>
      )}
      <NameTester question={{ template: naming.template, context }} example={naming.example} />
    </section>
  )
}
