'use client'

import { useState } from 'react'
import { Callout } from '@/components/ui/callout'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { MailPreferences as Preferences } from '@/lib/domain/notifications/schema'
import { eventLabel, LABELS, MAIL_FREQUENCIES, type MailFrequency } from '@/lib/vocabulary'

type Chosen = Preferences['preferences'][number]

/** Of what a user is mailed, and how soon; each choice is saved as it is made. */
export function MailPreferences({ preferences, sends_mail }: Preferences) {
  return (
    <Card id="mail" className="scroll-mt-20">
      <CardHeader
        title="E-mail"
        description="Your notifications in the app can reach you by mail. What comes together is one mail, not many."
      />
      <CardBody className="flex flex-col gap-4">
        {!sends_mail && (
          <Callout tone="info">
            No mail server is set up for this Greenroom yet, so no mail is sent. Your choices hold from the day one is.
          </Callout>
        )}
        <ul className="flex flex-col divide-y divide-line">
          {preferences.map((preference) => (
            <Preference key={preference.type} {...preference} />
          ))}
        </ul>
        <p className="text-xs text-ink-subtle">Daily mails go out at 07:00 UTC.</p>
      </CardBody>
    </Card>
  )
}

function Preference({ type, frequency }: Chosen) {
  const [shown, setShown] = useState<MailFrequency>(frequency)
  const save = useApiMutation({
    request: (next: MailFrequency) =>
      apiRequest('PUT /api/notifications/mail-preferences', { body: { preferences: [{ type, frequency: next }] } }),
    onProblem: () => setShown(frequency),
    refresh: false,
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2.5">
      <span className="text-sm text-ink">{eventLabel(type)}</span>
      <SegmentedControl
        label={`Mail about: ${eventLabel(type)}`}
        value={shown}
        onValueChange={(next) => {
          setShown(next)
          save.mutate(next)
        }}
        options={MAIL_FREQUENCIES.map((value) => ({ value, label: LABELS.mailFrequency[value] }))}
      />
    </li>
  )
}
