import { contactSheet } from '@/lib/http/contact-sheet'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: contactSheet })
