'use client'

import { Dices } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'

/** Crockford's base 32: no letter that is taken for a digit. 32 divides 256, so every sign is equally likely. */
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz'

/** 80 random bits in four groups, to be read out or typed: `k3pv-09xm-…`. */
function suggestPassword(): string {
  const signs = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => SIGNS.charAt(byte % 32)).join('')
  return signs.replace(/(.{4})(?=.)/g, '$1-')
}

/** A password an administrator chooses for a user: in the clear, because it must be handed over. */
export function PasswordField({
  label,
  hint,
  optional = false,
  value,
  onChange,
  onBlur,
  error,
}: {
  label: string
  hint: ReactNode
  optional?: boolean
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  error: string | undefined
}) {
  return (
    <Field label={label} name="password" optional={optional} error={error} hint={hint}>
      <div className="flex gap-2">
        <Input
          value={value}
          onValueChange={onChange}
          onBlur={onBlur}
          autoComplete="new-password"
          spellCheck={false}
          className="font-mono"
        />
        {value && <CopyButton text={value} label="Copy password" size="md" />}
        <Button onClick={() => onChange(suggestPassword())}>
          <Dices />
          Suggest
        </Button>
      </div>
    </Field>
  )
}
