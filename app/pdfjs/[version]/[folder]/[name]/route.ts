import { pdfjsFile } from '@/lib/http/pdfjs-files'

export async function GET(_request: Request, { params }: { params: Promise<{ folder: string; name: string }> }) {
  return pdfjsFile(await params)
}
