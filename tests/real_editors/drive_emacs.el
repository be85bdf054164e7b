;; What a person does with the file that is open, one step after the other; each step's outcome goes into a record,
;; which is printed as JSON at the end. A step that never comes true ends Emacs with exit code 1.  -*- lexical-binding: t -*-
(package-initialize)
(require 'eglot)
(require 'json)
(setq eglot-sync-connect 20
      eglot-autoreconnect nil
      eglot-confirm-server-initiated-edits nil
      inhibit-message t)

(defvar record nil)

(defun keep (key value) (push (cons key value) record))

(defun finish (code)
  (princ (concat (json-encode (reverse record)) "\n"))
  (set-buffer-modified-p nil)
  (kill-emacs code))

(defun await (what condition)
  (with-timeout (20 (keep 'stuck what) (finish 1))
    (while (not (funcall condition))
      (accept-process-output nil 0.02))))

(defun text () (buffer-substring-no-properties (point-min) (point-max)))

(defun findings ()
  (mapcar (lambda (found)
            (list (cons 'message (flymake-diagnostic-text found))
                  (cons 'line (line-number-at-pos (flymake-diagnostic-beg found)))
                  (cons 'under (buffer-substring-no-properties (flymake-diagnostic-beg found)
                                                               (flymake-diagnostic-end found)))))
          (flymake-diagnostics)))

(defun told-again ()
  "Hand the buffer's changes to the server and its answers to flymake, as Emacs does when it is idle."
  (eglot--signal-textDocument/didChange)
  (flymake-start))

(find-file (pop command-line-args-left))
(call-interactively #'eglot)
(await "attached" #'eglot-current-server)
(await "diagnostics" (lambda () (flymake-start) (flymake-diagnostics)))
(keep 'text (text))
(keep 'findings (vconcat (findings)))

(goto-char (point-min))
(search-forward "refr")
(let (hover)
  (eglot-hover-eldoc-function (lambda (shown &rest _) (setq hover shown)))
  (await "hover" (lambda () hover))
  (keep 'hover (substring-no-properties hover)))

(goto-char (flymake-diagnostic-beg (car (flymake-diagnostics))))
(cl-letf ((last-nonmenu-event ?k) ; chosen with the keyboard
          ((symbol-function 'completing-read)
           (lambda (_prompt choices &rest _)
             (keep 'offered (vconcat (mapcar (lambda (choice) (if (consp choice) (car choice) choice)) choices)))
             (caar choices))))
  (call-interactively #'eglot-code-actions))
(await "no more diagnostics" (lambda () (told-again) (null (flymake-diagnostics))))
(keep 'mended (text))

(primitive-undo 1 buffer-undo-list)
(await "diagnostics after undo" (lambda () (told-again) (flymake-diagnostics)))
(keep 'undone (text))
(finish 0)
