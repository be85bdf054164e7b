(require 'project)
(defun smelt-project (folder)
  "The project that FOLDER is in: the folder of the smelt.yml above it."
  (let ((root (locate-dominating-file folder "smelt.yml")))
    (and root (cons 'transient root))))
(add-hook 'project-find-functions #'smelt-project)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((sql-mode yaml-mode yaml-ts-mode) . ("smelt-lsp" "--stdio"))))
